/* What embed.cmake makes of style.css. Private to reports/html/. */
#ifndef WARPGRADE_REPORTS_HTML_STYLE_SOURCE_H
#define WARPGRADE_REPORTS_HTML_STYLE_SOURCE_H

struct html_style {
    const char *name; /* NULL ends the table */
    const char *text;
};
extern const struct html_style html_styles[];

#endif
