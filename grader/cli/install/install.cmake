# What `cmake --install` and CPack put where. The layout below the prefix is fixed, because the program finds
# its data from where it stands (sandbox/place/place.h): a prefix can be moved as a whole.
set(CMAKE_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS # whatever the umask: who can write there decides about grades
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(installed ${CMAKE_BINARY_DIR}/installed)

# Manual pages and completions are what the program says about its own options.
add_custom_command(TARGET warpgrade POST_BUILD COMMAND warpgrade install-pages ${installed} VERBATIM)
# `./bootstrap build` makes what is installed, and installing waits for no tests.
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY TRUE)

install(CODE "set(CMAKE_INSTALL_DO_STRIP 1)") # debugging information names the folders of this machine
install(TARGETS warpgrade DESTINATION bin)
install(CODE "file(CREATE_LINK warpgrade \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/bin/warpgrade-nvcc\" SYMBOLIC)")
install(TARGETS warpgrade-worker DESTINATION libexec/warpgrade)
install(TARGETS warpgrade-cudart LIBRARY DESTINATION lib/warpgrade/runtime) # nothing else finds it there
install(PROGRAMS sandbox/build/fetch_cuda.sh DESTINATION libexec/warpgrade RENAME fetch-cuda)
install(DIRECTORY exercises reference DESTINATION share/warpgrade)
install(DIRECTORY sandbox/devices/ DESTINATION share/warpgrade/devices FILES_MATCHING PATTERN "*.yaml")
install(FILES exercises/exercise.schema.json exercises/track.schema.json reports/report.schema.json
    reports/profile.schema.json reports/run.schema.json reports/sim.schema.json reports/class/class.schema.json
    DESTINATION share/warpgrade/schemas)
# What an autograder carries (grader/bundle/): it is built where it runs.
install(DIRECTORY grader reports sandbox DESTINATION share/warpgrade/source)
install(FILES CMakeLists.txt CMakePresets.json LICENSE README.md DESTINATION share/warpgrade/source)
install(PROGRAMS bootstrap DESTINATION share/warpgrade/source)
install(FILES README.md DESTINATION share/doc/warpgrade)
install(DIRECTORY docs DESTINATION share/doc/warpgrade FILES_MATCHING PATTERN "*.md")
install(FILES LICENSE DESTINATION share/doc/warpgrade RENAME copyright)
# What these pages link to: of tests/ the pages, the rest where it is installed.
foreach(room . attacks bench/model cheats gpu)
    install(FILES tests/${room}/README.md DESTINATION share/doc/warpgrade/tests/${room})
endforeach()
foreach(link LICENSE:copyright exercises:../../warpgrade/exercises share:../../warpgrade
        grader:../../warpgrade/source/grader reports:../../warpgrade/source/reports
        sandbox:../../warpgrade/source/sandbox)
    string(REPLACE ":" ";" link ${link})
    list(GET link 0 name)
    list(GET link 1 target)
    install(CODE "file(CREATE_LINK ${target} \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/share/doc/warpgrade/${name}\" SYMBOLIC)")
endforeach()
install(DIRECTORY ${installed}/man1 DESTINATION share/man)
install(FILES ${installed}/warpgrade DESTINATION share/bash-completion/completions)
install(FILES ${installed}/_warpgrade DESTINATION share/zsh/site-functions)
install(FILES ${installed}/warpgrade.fish DESTINATION share/fish/vendor_completions.d)
if(EXISTS ${CMAKE_SOURCE_DIR}/share)
    install(DIRECTORY share/ DESTINATION share/warpgrade)
endif()

# `cpack --config build/CPackConfig.cmake`: a package for the release of Debian or Ubuntu that it is made on,
# and a tar file with the same that is unpacked anywhere.
set(CPACK_GENERATOR DEB TGZ)
set(CPACK_PACKAGE_NAME warpgrade)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_VENDOR "the warpgrade authors")
set(CPACK_PACKAGE_CONTACT "the warpgrade authors <warpgrade@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "grades CUDA kernels, with or without a GPU")
set(CPACK_PACKAGE_DESCRIPTION "Compiles a kernel with NVRTC, runs it on a simulated GPU against a reference, hunts
for memory and synchronisation errors and writes a scored report. NVRTC is NVIDIA's and no part of the package:
/usr/libexec/warpgrade/fetch-cuda fetches it.")
set(CPACK_RESOURCE_FILE_LICENSE ${CMAKE_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_BINARY_DIR}/packages)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION education)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "bubblewrap, g++, python3-pip")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "nvidia-cuda-toolkit, openssh-client")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
include(CPack)
