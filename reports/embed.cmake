# cmake -D FOLDER=... -D OUTPUT=... -P embed.cmake: writes the pages below FOLDER as a C table that
# ends with an empty row. Bytes, not string literals: nothing in a page needs escaping, and a page
# may be longer than the longest literal that C promises.
file(GLOB pages RELATIVE ${FOLDER} ${FOLDER}/*/*.md)
if(NOT pages)
    message(FATAL_ERROR "no pages below ${FOLDER}")
endif()
list(SORT pages)
set(rows "")
set(arrays "")
foreach(page ${pages})
    get_filename_component(kind ${page} DIRECTORY)
    get_filename_component(id ${page} NAME_WE)
    string(MAKE_C_IDENTIFIER "page_${kind}_${id}" array)
    file(READ ${FOLDER}/${page} bytes HEX)
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
    string(APPEND arrays "static const unsigned char ${array}[] = {${bytes}0};\n")
    string(APPEND rows "    {\"${kind}\", \"${id}\", (const char *)${array}},\n")
endforeach()
file(WRITE ${OUTPUT}.new "/* Made by reports/embed.cmake from reports/explain/. */
#include \"reports/explain_source.h\"

${arrays}
const struct explain_source explain_sources[] = {
${rows}    {0, 0, 0},
};
")
file(RENAME ${OUTPUT}.new ${OUTPUT})
