# Pages for developers that quote the sources.
add_test(NAME docs/adding
    COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/check_adding.sh ${CMAKE_SOURCE_DIR})
# Lists of schemas and READMEs that repeat a table; the target `tables` writes them again.
add_executable(check_tables ${CMAKE_CURRENT_LIST_DIR}/tables.c)
target_link_libraries(check_tables PRIVATE warpgrade_exercise warpgrade_reports)
add_test(NAME docs/tables COMMAND check_tables ${CMAKE_SOURCE_DIR})
add_custom_target(tables COMMAND check_tables --write ${CMAKE_SOURCE_DIR} VERBATIM)
# Numbers of device profiles that are another card's.
add_test(NAME docs/carry
    COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/check_carry.sh ${CMAKE_SOURCE_DIR})
