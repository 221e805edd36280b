# Our libcudart.so.13, which whole programs are started with, and of the same sources the room whose
# readers of fat binaries the tests link. The library links nothing of ours and none of our flags: a
# sanitizer has no place in a stranger's process. It stands in a folder of its own, so that nothing
# else finds it.
file(GLOB runtime_sources CONFIGURE_DEPENDS sandbox/runtime/*.c sandbox/runtime/graph/*.c
    sandbox/runtime/host/*.c)
add_library(warpgrade-cudart SHARED ${runtime_sources})
set_target_properties(warpgrade-cudart PROPERTIES
    OUTPUT_NAME cudart SOVERSION 13 VERSION 13 C_VISIBILITY_PRESET hidden
    LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/runtime
    LINK_DEPENDS ${CMAKE_SOURCE_DIR}/sandbox/runtime/cudart.map)
target_include_directories(warpgrade-cudart PRIVATE ${CMAKE_SOURCE_DIR})
target_compile_definitions(warpgrade-cudart PRIVATE _GNU_SOURCE)
target_compile_options(warpgrade-cudart PRIVATE -Wall -Wextra -Wshadow -Wconversion
    -Wstrict-prototypes -fno-strict-aliasing
    -fno-omit-frame-pointer -funwind-tables) # site.c walks the library's own frames
if(WARPGRADE_WERROR)
    target_compile_options(warpgrade-cudart PRIVATE -Werror)
endif()
target_link_libraries(warpgrade-cudart PRIVATE Threads::Threads ${CMAKE_DL_LIBS})
target_link_options(warpgrade-cudart PRIVATE -static-libgcc -Wl,-z,defs
    -Wl,--version-script=${CMAKE_SOURCE_DIR}/sandbox/runtime/cudart.map)
warpgrade_room(warpgrade_runtime SOURCES sandbox/runtime/fatbin.c sandbox/runtime/unpack.c
    LINKS warpgrade_base ${CMAKE_DL_LIBS})
