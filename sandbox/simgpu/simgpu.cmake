# The simulated GPU's room. The executors are compiled once for each instruction-set level; variant.c
# chooses at run time. Contraction is off because the PTX says which multiply-adds are fused, and
# trapping math is off because nothing here looks at the host's floating-point flags.
file(GLOB simgpu_executors CONFIGURE_DEPENDS sandbox/simgpu/exec_*.c)
file(GLOB simgpu_sources CONFIGURE_DEPENDS sandbox/simgpu/*.c)
list(REMOVE_ITEM simgpu_sources ${simgpu_executors})
set(simgpu_variants v1)
set(simgpu_flags_v1)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64" AND NOT WARPGRADE_SANITIZE)
    list(APPEND simgpu_variants v3 v4)
    set(simgpu_flags_v3 -march=x86-64-v3)
    set(simgpu_flags_v4 -march=x86-64-v4 -mprefer-vector-width=256)
endif()
add_library(warpgrade_simgpu STATIC ${simgpu_sources})
target_link_libraries(warpgrade_simgpu PUBLIC warpgrade_base m Threads::Threads)
set(simgpu_list "")
foreach(variant ${simgpu_variants})
    add_library(warpgrade_simgpu_${variant} OBJECT ${simgpu_executors})
    target_link_libraries(warpgrade_simgpu_${variant} PRIVATE warpgrade_flags)
    target_compile_definitions(warpgrade_simgpu_${variant} PRIVATE SIM_VARIANT=${variant})
    target_compile_options(warpgrade_simgpu_${variant} PRIVATE -O3 -ffp-contract=off
        -fno-math-errno -fno-trapping-math -frounding-math ${simgpu_flags_${variant}})
    target_sources(warpgrade_simgpu PRIVATE $<TARGET_OBJECTS:warpgrade_simgpu_${variant}>)
    string(APPEND simgpu_list "VARIANT(${variant}) ")
endforeach()
# the caches look up a line in all ways at once, and compare all lanes' sectors
set_source_files_properties(sandbox/simgpu/cache.c sandbox/simgpu/cache_tags.c
    sandbox/simgpu/cache_touched.c PROPERTIES COMPILE_OPTIONS -O3)
set_source_files_properties(sandbox/simgpu/variant.c PROPERTIES
    COMPILE_DEFINITIONS "WARPGRADE_SIM_VARIANTS=${simgpu_list}")
