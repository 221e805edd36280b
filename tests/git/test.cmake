# Fetches from servers that the tests start: sshd, and git-http-backend behind https.
add_executable(test_git_servers git/test_servers.c)
target_link_libraries(test_git_servers PRIVATE warpgrade_repo PkgConfig::CMOCKA)
foreach(way ssh https)
    add_test(NAME git/${way} COMMAND test_git_servers ${way})
    set_tests_properties(git/${way} PROPERTIES SKIP_RETURN_CODE 77)
endforeach()
