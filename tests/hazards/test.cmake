# Kernels with known bugs and kernels without, one folder a kind of bug.
add_executable(run_hazards hazards/run_hazards.c support/compiler.c support/precompiled.c
    support/same_results.c)
target_link_options(run_hazards PRIVATE -Wl,--wrap=nvrtc_load)
target_link_libraries(run_hazards PRIVATE warpgrade_grader warpgrade_reports warpgrade_sandbox
    warpgrade_simgpu)
file(GLOB hazard_kinds CONFIGURE_DEPENDS LIST_DIRECTORIES true hazards/*)
foreach(folder ${hazard_kinds})
    file(GLOB hazard_files CONFIGURE_DEPENDS ${folder}/*.cu ${folder}/*.ptx)
    if(NOT hazard_files)
        continue()
    endif()
    get_filename_component(name ${folder} NAME)
    add_test(NAME hazards/${name} COMMAND run_hazards ${hazard_files})
endforeach()
