# What benchmarks have been cheated with, on the simulated GPU and, where there is one, on a card.
add_executable(run_cheats cheats/run_cheats.c)
target_link_libraries(run_cheats PRIVATE warpgrade_grader warpgrade_reports warpgrade_sandbox
    warpgrade_simgpu)
target_link_options(run_cheats PRIVATE -Wl,--as-needed)
add_dependencies(run_cheats warpgrade-worker)
file(STRINGS ${CMAKE_CURRENT_LIST_DIR}/cheats.tsv cheat_rows REGEX "^[^#]")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/cheats.tsv)
foreach(row ${cheat_rows})
    string(REGEX REPLACE "\\.cu\t.*" "" cheat "${row}")
    add_test(NAME cheats/${cheat} COMMAND run_cheats sim tests/cheats/cheats.tsv ${cheat}.cu
        WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
endforeach()
# Times are measured alone.
add_test(NAME gpu/cheats COMMAND run_cheats cuda tests/cheats/cheats.tsv
    WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
add_test(NAME gpu/cheats-of-one-engine COMMAND run_cheats auto tests/cheats/cheats.tsv other-code
    WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
set_tests_properties(gpu/cheats gpu/cheats-of-one-engine PROPERTIES LABELS card SKIP_RETURN_CODE 77 RUN_SERIAL ON)
