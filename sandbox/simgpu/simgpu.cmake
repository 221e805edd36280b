# The simulated GPU: nine rooms, lowest first (README.md beside this file). The executors are compiled
# once for each instruction-set level; exec/variant.c chooses at run time. Contraction is off because the
# PTX says which multiply-adds are fused, and trapping math is off because nothing here looks at the
# host's floating-point flags.
set(simgpu sandbox/simgpu)
warpgrade_room(warpgrade_ptx SOURCES ${simgpu}/ptx/*.c LINKS warpgrade_base)
warpgrade_room(warpgrade_program SOURCES ${simgpu}/program/*.c ${simgpu}/program/loads/*.c
    LINKS warpgrade_ptx m)
warpgrade_room(warpgrade_sass SOURCES ${simgpu}/sass/*.c LINKS warpgrade_program)
warpgrade_room(warpgrade_state SOURCES ${simgpu}/state/*.c LINKS warpgrade_program)
warpgrade_room(warpgrade_check SOURCES ${simgpu}/check/*.c ${simgpu}/check/message/*.c LINKS warpgrade_state)
warpgrade_room(warpgrade_memsys SOURCES ${simgpu}/memsys/*.c LINKS warpgrade_state warpgrade_sass m)
warpgrade_room(warpgrade_exec SOURCES ${simgpu}/exec/*.c LINKS warpgrade_check warpgrade_memsys m)
warpgrade_room(warpgrade_time SOURCES ${simgpu}/time/*.c LINKS warpgrade_memsys m)
warpgrade_room(warpgrade_simgpu SOURCES ${simgpu}/launch/*.c
    LINKS warpgrade_time warpgrade_exec Threads::Threads)

file(GLOB simgpu_executors CONFIGURE_DEPENDS ${simgpu}/exec/executors/*.c)
set(simgpu_variants v1)
set(simgpu_flags_v1)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64" AND NOT WARPGRADE_SANITIZE)
    list(APPEND simgpu_variants v3 v4)
    set(simgpu_flags_v3 -march=x86-64-v3)
    set(simgpu_flags_v4 -march=x86-64-v4 -mprefer-vector-width=256)
endif()
set(simgpu_list "")
foreach(variant ${simgpu_variants})
    add_library(warpgrade_executors_${variant} OBJECT ${simgpu_executors})
    target_link_libraries(warpgrade_executors_${variant} PRIVATE warpgrade_flags)
    target_compile_definitions(warpgrade_executors_${variant} PRIVATE SIM_VARIANT=${variant})
    target_compile_options(warpgrade_executors_${variant} PRIVATE -O3 -ffp-contract=off
        -fno-math-errno -fno-trapping-math -frounding-math ${simgpu_flags_${variant}})
    target_sources(warpgrade_exec PRIVATE $<TARGET_OBJECTS:warpgrade_executors_${variant}>)
    string(APPEND simgpu_list "VARIANT(${variant}) ")
endforeach()
# rare, and three times as long to compile at -O3
set_source_files_properties(${simgpu}/exec/executors/exec_video.c PROPERTIES COMPILE_OPTIONS -O2)
# vectors of fma(): see there
set_source_files_properties(${simgpu}/exec/executors/exec_fma.c PROPERTIES
    COMPILE_OPTIONS -fno-rounding-math)
# the caches look up a line in all ways at once, and compare all lanes' sectors
set_source_files_properties(${simgpu}/memsys/cache.c ${simgpu}/memsys/cache_tags.c
    ${simgpu}/memsys/cache_touched.c PROPERTIES COMPILE_OPTIONS -O3)
set_source_files_properties(${simgpu}/exec/variant.c PROPERTIES
    COMPILE_DEFINITIONS "WARPGRADE_SIM_VARIANTS=${simgpu_list}")
