# What `cmake --install` puts down: moved, without the sources and the build folder, as another user;
# completions in a real shell; manual pages; the packages (in the lab: they are slow to compress).
set(install_prefix ${CMAKE_CURRENT_BINARY_DIR}/install)
set(install_environment "WARPGRADE=${install_prefix}/moved/bin/warpgrade;TREE=${CMAKE_SOURCE_DIR};BUILD=${CMAKE_BINARY_DIR}")
add_test(NAME install/prefix
    COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/check_prefix.sh ${CMAKE_COMMAND} ${CMAKE_BINARY_DIR} ${install_prefix})
set_tests_properties(install/prefix PROPERTIES FIXTURES_SETUP installed)
foreach(name program completions man-pages)
    add_test(NAME install/${name} COMMAND bash ${CMAKE_CURRENT_LIST_DIR}/check_${name}.sh ${install_prefix}/moved)
    set_tests_properties(install/${name} PROPERTIES
        FIXTURES_REQUIRED installed
        SKIP_RETURN_CODE 77
        ENVIRONMENT "${install_environment}")
endforeach()
add_test(NAME install/dockerfile
    COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/check_dockerfile.sh ${CMAKE_SOURCE_DIR})
add_test(NAME install/packages
    COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/check_packages.sh ${CMAKE_CPACK_COMMAND} ${CMAKE_BINARY_DIR}
            ${CMAKE_CURRENT_BINARY_DIR}/packages)
set_tests_properties(install/packages PROPERTIES LABELS lab SKIP_RETURN_CODE 77 ENVIRONMENT "${install_environment}")
