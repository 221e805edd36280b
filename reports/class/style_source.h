/* What embed.cmake makes of class.css. Private to reports/class/. */
#ifndef WARPGRADE_REPORTS_CLASS_STYLE_SOURCE_H
#define WARPGRADE_REPORTS_CLASS_STYLE_SOURCE_H

struct class_style {
    const char *name; /* NULL ends the table */
    const char *text;
};
extern const struct class_style class_styles[];

#endif
