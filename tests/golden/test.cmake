# Reports against golden files, against hostile bytes, against schemas, and with the readers of others.
file(GLOB fixture_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/*fixture*.c)
add_library(test_fixtures STATIC ${fixture_sources} ${CMAKE_CURRENT_LIST_DIR}/markup.c
    ${CMAKE_CURRENT_LIST_DIR}/hostile_string.c
    ${CMAKE_CURRENT_LIST_DIR}/../support/clean.c)
target_link_libraries(test_fixtures PUBLIC warpgrade_reports)
foreach(name golden class class_found formats hostile stored)
    add_executable(test_reports_${name} ${CMAKE_CURRENT_LIST_DIR}/test_${name}.c
        ${CMAKE_CURRENT_LIST_DIR}/golden_file.c)
    target_link_libraries(test_reports_${name} PRIVATE test_fixtures PkgConfig::CMOCKA)
    add_test(NAME golden/${name} COMMAND test_reports_${name})
endforeach()
add_executable(test_reports_hidden ${CMAKE_CURRENT_LIST_DIR}/test_hidden.c)
target_link_libraries(test_reports_hidden PRIVATE test_fixtures warpgrade_grader PkgConfig::CMOCKA)
add_test(NAME golden/hidden COMMAND test_reports_hidden)
foreach(check schema xml readers markdown contrast page screens)
    add_test(NAME golden/${check}
        COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/check_${check}.sh ${CMAKE_SOURCE_DIR})
    set_tests_properties(golden/${check} PROPERTIES SKIP_RETURN_CODE 77)
endforeach()
foreach(module junitparser check50 gslocal)
    add_test(NAME golden/${module}
        COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/check_readers.sh ${CMAKE_SOURCE_DIR} ${module})
    set_tests_properties(golden/${module} PROPERTIES SKIP_RETURN_CODE 77)
endforeach()
add_test(NAME golden/explain
    COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/check_explain.sh $<TARGET_FILE:warpgrade>)
add_executable(test_reports_similarity ${CMAKE_CURRENT_LIST_DIR}/test_similarity.c
    ${CMAKE_CURRENT_LIST_DIR}/golden_file.c)
target_link_libraries(test_reports_similarity PRIVATE warpgrade_similarity PkgConfig::CMOCKA)
add_test(NAME golden/similarity COMMAND test_reports_similarity)
