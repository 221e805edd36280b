# Pages for developers that quote the sources.
add_test(NAME docs/adding
    COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/check_adding.sh ${CMAKE_SOURCE_DIR})
set_tests_properties(docs/adding PROPERTIES LABELS docs)
