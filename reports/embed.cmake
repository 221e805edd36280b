# cmake -D FOLDER=... -D PATTERN=... -D HEADER=... -D ROW=... -D OUTPUT=... -P embed.cmake: writes the
# files in FOLDER that match PATTERN as a C table of struct ROW, called ROWs and declared in HEADER, so
# that the program needs no file beside it. A row has each folder of the file's path, the file's name
# without its ending, and its text; an empty row ends the table. Bytes, not string literals: nothing in
# a file needs escaping, and it may be longer than the longest literal that C promises.
file(GLOB files RELATIVE ${FOLDER} ${FOLDER}/${PATTERN})
if(NOT files)
    message(FATAL_ERROR "no ${PATTERN} in ${FOLDER}")
endif()
list(SORT files)
set(rows "")
set(arrays "")
foreach(file ${files})
    string(REGEX REPLACE "\\.[^.]*$" "" name ${file})
    string(MAKE_C_IDENTIFIER "text_${name}" array)
    string(REPLACE "/" "\", \"" fields "\"${name}\"")
    file(READ ${FOLDER}/${file} bytes HEX)
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
    string(APPEND arrays "static const unsigned char ${array}[] = {${bytes}0};\n")
    string(APPEND rows "    {${fields}, (const char *)${array}},\n")
endforeach()
file(WRITE ${OUTPUT}.new "/* Made by reports/embed.cmake. */
#include \"${HEADER}\"

${arrays}
const struct ${ROW} ${ROW}s[] = {
${rows}    {0},
};
")
file(RENAME ${OUTPUT}.new ${OUTPUT})
