# Instruction tests: one data file a family, and a test that every row of isa.def is executed by one.
add_executable(run_ptx ptx/run_ptx.c ptx/ptx_case.c ptx/hardware.c gpu/driver.c)
target_link_libraries(run_ptx PRIVATE warpgrade_sandbox warpgrade_simgpu ${CMAKE_DL_LIBS})
file(GLOB ptx_files CONFIGURE_DEPENDS ptx/*.txt)
list(FILTER ptx_files EXCLUDE REGEX "/census.txt$")
foreach(file ${ptx_files})
    get_filename_component(name ${file} NAME_WE)
    add_test(NAME ptx/${name} COMMAND run_ptx ${file})
endforeach()
add_test(NAME ptx/every-row-of-isa.def COMMAND run_ptx --coverage ${ptx_files})
add_test(NAME ptx/on-a-real-gpu COMMAND run_ptx --cuda ${ptx_files})
set_tests_properties(ptx/on-a-real-gpu PROPERTIES LABELS card SKIP_RETURN_CODE 77)

# Texts that crashed something once, and some fresh mutations of real ones: each must be refused or
# run to its end.
add_executable(run_hostile ptx/run_hostile.c)
target_link_libraries(run_hostile PRIVATE warpgrade_sandbox warpgrade_simgpu)
file(GLOB hostile_files CONFIGURE_DEPENDS ptx/hostile/*.ptx)
file(GLOB mutated_files CONFIGURE_DEPENDS ptx/mutated/*.ptx)
add_test(NAME ptx/hostile COMMAND run_hostile ${hostile_files})
add_test(NAME ptx/mutated COMMAND run_hostile --mutate 60 --seed 1 ${mutated_files})

# Every mnemonic that real kernels use is executed.
add_executable(run_census ptx/run_census.c)
target_link_libraries(run_census PRIVATE warpgrade_sandbox warpgrade_simgpu)
add_test(NAME ptx/census COMMAND run_census ${CMAKE_CURRENT_SOURCE_DIR}/ptx/census.txt)
