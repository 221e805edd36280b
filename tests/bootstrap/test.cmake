# ./bootstrap on machines that lack something, and the scripts under shellcheck where it is installed.
add_test(NAME bootstrap/missing-things
    COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/bootstrap/check.sh ${CMAKE_SOURCE_DIR})
find_program(SHELLCHECK shellcheck)
if(SHELLCHECK)
    add_test(NAME bootstrap/shellcheck COMMAND ${SHELLCHECK} ${CMAKE_SOURCE_DIR}/bootstrap
        ${CMAKE_SOURCE_DIR}/.ci/run ${CMAKE_CURRENT_SOURCE_DIR}/bootstrap/check.sh
        ${CMAKE_SOURCE_DIR}/sandbox/build/fetch_cuda.sh
        ${CMAKE_SOURCE_DIR}/grader/bundle/gradescope/setup.sh
        ${CMAKE_SOURCE_DIR}/grader/bundle/gradescope/run_autograder)
endif()
