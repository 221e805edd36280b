# The examples in the pages of `explain` show what they say.
add_test(NAME explain/examples
    COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/check_examples.sh $<TARGET_FILE:warpgrade> ${CMAKE_SOURCE_DIR}
            ${CMAKE_CURRENT_BINARY_DIR}/explain-examples)
set_tests_properties(explain/examples PROPERTIES
    ENVIRONMENT XDG_CACHE_HOME=${CMAKE_CURRENT_BINARY_DIR}/cache)

add_test(NAME explain/programs
    COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/check_examples.sh $<TARGET_FILE:warpgrade> ${CMAKE_SOURCE_DIR}
            ${CMAKE_CURRENT_BINARY_DIR}/explain-programs programs)
set_tests_properties(explain/programs PROPERTIES PROCESSORS 2 LABELS lab
    ENVIRONMENT XDG_CACHE_HOME=${CMAKE_CURRENT_BINARY_DIR}/cache)
