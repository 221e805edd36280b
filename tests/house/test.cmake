# The house: edges between rooms go down (read from the archives and from #include lines), folders and
# files stay small. README.md beside this file says what each test reads.
get_property(house_rooms GLOBAL PROPERTY WARPGRADE_ROOMS)
set(house_lines "")
set(house_archives "")
foreach(room ${house_rooms})
    get_target_property(links ${room} LINK_LIBRARIES)
    list(FILTER links INCLUDE REGEX "^warpgrade_")
    list(REMOVE_ITEM links warpgrade_flags)
    string(REPLACE ";" " " links "${links}")
    string(APPEND house_lines "${room}\tlib${room}.a\t${links}\n")
    list(APPEND house_archives $<TARGET_FILE:${room}>)
endforeach()
file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/rooms.tsv "${house_lines}")
add_executable(house house/house.c)
add_test(NAME house/edges
    COMMAND sh -c "rooms=$1; shift; nm -A -g \"$@\" | ${CMAKE_CURRENT_BINARY_DIR}/house \"$rooms\""
        sh ${CMAKE_CURRENT_BINARY_DIR}/rooms.tsv ${house_archives})
# The check itself: an edge up, a cycle over two rooms and an empty input are found.
add_test(NAME house/notices-an-edge-up
    COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/check_house.sh ${CMAKE_CURRENT_BINARY_DIR}/house)
add_test(NAME house/includes
    COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/check_includes.sh ${CMAKE_CURRENT_BINARY_DIR}/rooms.tsv
    WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
add_test(NAME house/sizes COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/check_sizes.sh
    WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
add_test(NAME house/mnemonics COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/check_mnemonics.sh
    WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
add_test(NAME house/numbers COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/check_numbers.sh
    WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
