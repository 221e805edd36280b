# Reports against golden files and against hostile bytes; the JSON among them against its schema, and
# the XML with another reader.
foreach(name golden hostile stored)
    add_executable(test_reports_${name} ${CMAKE_CURRENT_LIST_DIR}/test_${name}.c
        ${CMAKE_CURRENT_LIST_DIR}/fixtures.c ${CMAKE_CURRENT_LIST_DIR}/fixtures_pictures.c
        ${CMAKE_CURRENT_LIST_DIR}/sim_fixtures.c
        ${CMAKE_CURRENT_LIST_DIR}/profile_fixtures.c
        ${CMAKE_CURRENT_LIST_DIR}/../support/clean.c)
    target_link_libraries(test_reports_${name} PRIVATE warpgrade_reports PkgConfig::CMOCKA)
    add_test(NAME golden/${name} COMMAND test_reports_${name})
endforeach()
foreach(check schema xml)
    add_test(NAME golden/${check}
        COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/check_${check}.sh ${CMAKE_SOURCE_DIR})
    set_tests_properties(golden/${check} PROPERTIES SKIP_RETURN_CODE 77)
endforeach()
add_test(NAME golden/explain
    COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/check_explain.sh $<TARGET_FILE:warpgrade>)
