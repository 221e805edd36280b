# Foreign text leaves the program only escaped: a table of every place that writes, and a check of the
# check, which must name the row that is taken away.
add_test(NAME sinks/known
    COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/check_sinks.sh ${CMAKE_SOURCE_DIR})
add_test(NAME sinks/notices-a-new-one
    COMMAND sh -c "grep -v '^grader/cli/main.c.puts' sinks.tsv >\"$2\" && sh check_sinks.sh \"$1\" \"$2\" |
        grep '^> grader/cli/main.c.puts.1$'"
        sh ${CMAKE_SOURCE_DIR} ${CMAKE_CURRENT_BINARY_DIR}/sinks-short.tsv
    WORKING_DIRECTORY ${CMAKE_CURRENT_LIST_DIR})
