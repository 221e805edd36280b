/* A stored document as a whole: is it JSON, is it a report, and one that this version reads?
 * Private to reports/stored/. */
#ifndef WARPGRADE_REPORTS_STORED_DOCUMENT_H
#define WARPGRADE_REPORTS_STORED_DOCUMENT_H

#include "reports/stored/member.h"

/* *root is an object, which the caller drops. */
enum status document_parse(const char *text, size_t length, const char *name, json_t **root,
                           struct error *error);
/* Notes where the member `schema` is not one that is read here. */
void document_check_schema(struct member_reader *reader, const json_t *object);
/* Is it what `grade` writes of a submission? Notes what it is instead. */
bool document_is_report(struct member_reader *reader, const json_t *object);

#endif
