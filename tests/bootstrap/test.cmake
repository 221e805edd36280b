# ./bootstrap on machines that lack something, its demo where no jail can be made, and the scripts under
# shellcheck where it is installed.
add_test(NAME bootstrap/missing-things
    COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/bootstrap/check.sh ${CMAKE_SOURCE_DIR})
add_executable(without_jails bootstrap/without_jails.c)
target_link_libraries(without_jails PRIVATE PkgConfig::SECCOMP)
add_test(NAME bootstrap/demo-without-jails
    COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/bootstrap/demo.sh ${CMAKE_SOURCE_DIR}
        $<TARGET_FILE:warpgrade> $<TARGET_FILE:without_jails>)
set_tests_properties(bootstrap/demo-without-jails PROPERTIES
    SKIP_RETURN_CODE 77
    ENVIRONMENT "XDG_CACHE_HOME=${tests_cache}")
find_program(SHELLCHECK shellcheck)
if(SHELLCHECK)
    add_test(NAME bootstrap/shellcheck COMMAND ${SHELLCHECK} ${CMAKE_SOURCE_DIR}/bootstrap
        ${CMAKE_SOURCE_DIR}/.ci/run ${CMAKE_CURRENT_SOURCE_DIR}/bootstrap/check.sh
        ${CMAKE_CURRENT_SOURCE_DIR}/bootstrap/demo.sh
        ${CMAKE_SOURCE_DIR}/sandbox/build/fetch_cuda.sh
        ${CMAKE_SOURCE_DIR}/grader/bundle/gradescope/setup.sh
        ${CMAKE_SOURCE_DIR}/grader/bundle/gradescope/run_autograder)
endif()
