/* What embed.cmake makes of the pages below reports/explain/. Private to reports/. */
#ifndef WARPGRADE_REPORTS_EXPLAIN_SOURCE_H
#define WARPGRADE_REPORTS_EXPLAIN_SOURCE_H

struct explain_source {
    const char *kind; /* the folder: "hazard"; NULL ends the table */
    const char *id;   /* the file's name without .md */
    const char *text;
};
extern const struct explain_source explain_sources[];

#endif
