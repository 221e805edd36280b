# cmake -D FOLDER=... -D OUTPUT=... -P embed_devices.cmake: writes the device profiles in FOLDER as a
# C table that ends with an empty row, so that the program needs no file beside it.
file(GLOB profiles RELATIVE ${FOLDER} ${FOLDER}/*.yaml)
if(NOT profiles)
    message(FATAL_ERROR "no device profiles in ${FOLDER}")
endif()
list(SORT profiles)
set(rows "")
set(arrays "")
foreach(profile ${profiles})
    get_filename_component(id ${profile} NAME_WE)
    string(MAKE_C_IDENTIFIER "profile_${id}" array)
    file(READ ${FOLDER}/${profile} bytes HEX)
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
    string(APPEND arrays "static const unsigned char ${array}[] = {${bytes}0};\n")
    string(APPEND rows "    {\"${id}\", (const char *)${array}},\n")
endforeach()
file(WRITE ${OUTPUT}.new "/* Made by grader/embed_devices.cmake from sandbox/devices/. */
#include \"grader/device_source.h\"

${arrays}
const struct device_source device_sources[] = {
${rows}    {0, 0},
};
")
file(RENAME ${OUTPUT}.new ${OUTPUT})
