/* The pages of `warpgrade explain`: one file each at reports/explain/KIND/ID.md, embedded, and
 * ID.zh.md beside it in Chinese.
 *
 * A page begins with its head, `key: value` lines up to the first empty line:
 *   fix: one sentence that says what to do (hazards: reports show it too)
 *   see: ids of related pages, separated by commas
 *   covers: further ids that this page explains, separated by commas
 *   summary: one line, where no row of a .def table has one (in another language always)
 *   guide: the section of the CUDA C++ Programming Guide about it
 * Then comes its body: paragraphs, `## headings`, lists and ``` fenced code. Code whose fence says
 * what it shows (```cuda shared-race) is run by a test. */
#ifndef WARPGRADE_REPORTS_EXPLAIN_H
#define WARPGRADE_REPORTS_EXPLAIN_H

#include "sandbox/base/error.h"
#include "sandbox/base/language.h"
#include "sandbox/base/text.h"
#include "sandbox/base/types.h"

enum explain_kind {
    EXPLAIN_HAZARD,
    EXPLAIN_VERDICT,
    EXPLAIN_COUNTER, /* and metrics */
    EXPLAIN_LIMITER,
    EXPLAIN_GLOSSARY, /* one page, made of reports/terms.tsv */
    EXPLAIN_KIND_COUNT
};

struct explain_page {
    enum explain_kind kind;
    const char *id;
    const char *body; /* after the head */
    const char *head;
    enum language language;
};

size_t explain_count(void);
/* The page of id number `index`: hazards, verdicts, counters with their metrics, limiters, each
 * sorted as in its table; then the glossary. */
bool explain_at(size_t index, struct explain_page *page);
/* STATUS_INVALID with "did you mean" where there is no such page. Capital letters do not matter. */
enum status explain_find(const char *id, struct explain_page *page, struct error *error);
/* Appends the value of a head line; false where the page has none. */
bool explain_head(const struct explain_page *page, const char *key, struct text *out);
/* Appends the one line that says what the id is. */
void explain_summary(const struct explain_page *page, struct text *out);
/* The id of the limiter that such a sentence begins with: "L2-cache-bound: 98 % of ..."; NULL where
 * it begins with none. */
const char *explain_limiter(const char *sentence);
/* Turns a page into that of another language; false, and the page as it was, where there is none.
 */
bool explain_translate(struct explain_page *page, enum language language);
/* Appends the one sentence that says what to do: the fix's own, else that of the hazard's page. */
void explain_fix(enum language language, enum hazard_fix fix, enum hazard_kind kind,
                 struct text *out);

/* The whole page, and the list of all ids, for a terminal. */
void explain_text(const struct explain_page *page, bool color, unsigned width, struct text *out);
void explain_list_text(enum language language, bool color, unsigned width, struct text *out);

#endif
