# The reports' room. The pages of `warpgrade explain` are embedded: reports/explain/KIND/ID.md each
# become one row of a generated table, so that the program needs no file beside it.
file(GLOB explain_pages CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/reports/explain/*/*.md)
set(explain_table ${CMAKE_BINARY_DIR}/generated/explain_pages.c)
add_custom_command(OUTPUT ${explain_table}
    COMMAND ${CMAKE_COMMAND} -D FOLDER=${CMAKE_SOURCE_DIR}/reports/explain -D PATTERN=*/*.md
            -D HEADER=reports/explain_source.h -D ROW=explain_source -D OUTPUT=${explain_table}
            -P ${CMAKE_SOURCE_DIR}/reports/embed.cmake
    DEPENDS ${explain_pages} ${CMAKE_SOURCE_DIR}/reports/embed.cmake
    COMMENT "Embedding the pages of warpgrade explain"
    VERBATIM)

warpgrade_room(warpgrade_reports SOURCES reports/*.c grader/verdict.c
    LINKS warpgrade_sandbox PkgConfig::JANSSON PkgConfig::XML2)
target_sources(warpgrade_reports PRIVATE ${explain_table})
