# The reports' room. The pages of `warpgrade explain` are embedded: reports/explain/KIND/ID.md each
# become one row of a generated table, so that the program needs no file beside it.
warpgrade_embed(${generated}/explain_pages.c reports/explain */*.md reports/explain_source.h explain_source
    "Embedding the pages of warpgrade explain")
warpgrade_embed(${generated}/html_style.c reports/html *.css reports/html/style_source.h html_style
    "Embedding the style of the HTML report")
warpgrade_embed(${generated}/class_style.c reports/class *.css reports/class/style_source.h class_style
    "Embedding the style of the class report")
warpgrade_room(warpgrade_reports SOURCES reports/*.c reports/formats/*.c reports/class/*.c
    reports/html/*.c reports/stored/*.c reports/text/*.c
    LINKS warpgrade_base PkgConfig::JANSSON PkgConfig::XML2 m)
target_sources(warpgrade_reports PRIVATE ${generated}/explain_pages.c ${generated}/html_style.c
    ${generated}/class_style.c)
