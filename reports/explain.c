/* Finding pages and their heads; how a page looks is explain_text.c's business.
 *
 * The order of the list is that of the .def tables, which put related ids together; a page whose id
 * stands in no table (the counters that a launch has beside those counted) follows its kind. One
 * page can cover several ids: it is found by each of them, and each has a summary of its own. */
#include "reports/explain.h"

#include "reports/explain_source.h"
#include "reports/message.h"
#include "sandbox/base/memory.h"
#include "sandbox/base/profile.h"
#include "sandbox/base/verdict.h"

#include <ctype.h>
#include <string.h>

static const char *const kind_folders[EXPLAIN_KIND_COUNT] = {"hazard", "verdict", "counter",
                                                             "limiter", "glossary"};
static const size_t table_counts[EXPLAIN_KIND_COUNT] = {
    HAZARD_COUNT, VERDICT_COUNT, COUNTER_COUNT + METRIC_COUNT, COST_PART_COUNT, 0};

static const char *const limiter_ids[COST_PART_COUNT] = {
#define COST_PART(id, label, summary) label "-bound",
#include "sandbox/base/cost_part.def"
#undef COST_PART
};
static const char *const limiter_summaries[COST_PART_COUNT] = {
#define COST_PART(id, label, summary) summary,
#include "sandbox/base/cost_part.def"
#undef COST_PART
};

static const char *table_id(enum explain_kind kind, size_t row) {
    return kind == EXPLAIN_HAZARD    ? hazard_infos[row].name
           : kind == EXPLAIN_LIMITER ? limiter_ids[row]
           : kind == EXPLAIN_VERDICT ? verdict_infos[row].name
           : row < COUNTER_COUNT     ? counter_infos[row].name
                                     : metric_infos[row - COUNTER_COUNT].name;
}

static const char *table_summary(enum explain_kind kind, size_t row) {
    return kind == EXPLAIN_HAZARD    ? hazard_infos[row].summary
           : kind == EXPLAIN_LIMITER ? limiter_summaries[row]
           : kind == EXPLAIN_VERDICT ? verdict_infos[row].summary
           : row < COUNTER_COUNT     ? counter_infos[row].summary
                                     : metric_infos[row - COUNTER_COUNT].summary;
}

/* "L2-cache-bound" is made of the label "L2 cache". */
static bool same_id(const char *a, const char *b) {
    while (*a && (tolower((unsigned char)*a) == tolower((unsigned char)*b) ||
                  (*a == ' ' && *b == '-') || (*a == '-' && *b == ' '))) {
        a++;
        b++;
    }
    return *a == *b;
}

static size_t table_row(enum explain_kind kind, const char *id) {
    for (size_t row = 0; row < table_counts[kind]; row++)
        if (same_id(table_id(kind, row), id))
            return row;
    return table_counts[kind];
}

static void page_of(const struct explain_source *source, enum explain_kind kind,
                    struct explain_page *page) {
    const char *end = strstr(source->text, "\n\n");
    *page = (struct explain_page){
        .kind = kind, .id = source->id, .head = source->text, .body = end ? end + 2 : ""};
}

/* Does the page's line `covers: a, b` name the id? */
static bool covers(const struct explain_page *page, const char *id) {
    cleanup_text struct text list = {0};
    if (!explain_head(page, "covers", &list))
        return false;
    size_t length = strlen(id);
    for (const char *at = text_string(&list); *at;) {
        size_t word = strcspn(at, ", ");
        if (word == length && memcmp(at, id, length) == 0)
            return true;
        at += word + strspn(at + word, ", ");
    }
    return false;
}

/* "deadlock.zh" is the page of deadlock in Chinese. */
static bool is_translation(const struct explain_source *source) {
    return strchr(source->id, '.') != NULL;
}

static bool find_source(enum explain_kind kind, const char *id, struct explain_page *page) {
    for (unsigned covered = 0; covered < 2; covered++)
        for (const struct explain_source *s = explain_sources; s->kind; s++) {
            if (strcmp(s->kind, kind_folders[kind]) != 0 || is_translation(s))
                continue;
            page_of(s, kind, page);
            if (covered ? covers(page, id) : same_id(s->id, id)) {
                size_t row = table_row(kind, id);
                bool named = row < table_counts[kind] && kind != EXPLAIN_LIMITER;
                page->id = named ? table_id(kind, row) : s->id;
                return true;
            }
        }
    return false;
}

size_t explain_count(void) {
    struct explain_page page;
    size_t count = 0;
    while (explain_at(count, &page))
        count++;
    return count;
}

bool explain_at(size_t index, struct explain_page *page) {
    for (unsigned i = 0; i < EXPLAIN_KIND_COUNT; i++) {
        enum explain_kind kind = (enum explain_kind)i;
        for (size_t row = 0; row < table_counts[kind]; row++)
            if (find_source(kind, table_id(kind, row), page) && index-- == 0)
                return true;
        for (const struct explain_source *s = explain_sources; s->kind; s++)
            if (strcmp(s->kind, kind_folders[kind]) == 0 && !is_translation(s) &&
                table_row(kind, s->id) == table_counts[kind] && index-- == 0) {
                page_of(s, kind, page);
                return true;
            }
    }
    return false;
}

enum status explain_find(const char *id, struct explain_page *page, struct error *error) {
    for (unsigned kind = 0; kind < EXPLAIN_KIND_COUNT; kind++)
        if (find_source((enum explain_kind)kind, id, page))
            return STATUS_OK;
    size_t count = explain_count();
    cleanup_free const char **names = mem_calloc(count, sizeof *names);
    for (size_t i = 0; i < count && explain_at(i, page); i++)
        names[i] = page->id;
    error_set(error, STATUS_INVALID, "nothing is called %s", id);
    const char *closest = text_closest(id, names, count);
    if (closest)
        error_hint(error, "did you mean `warpgrade explain %s`? `warpgrade explain` lists all.",
                   closest);
    else
        error_hint(error,
                   "`warpgrade explain` lists all hazards, verdicts, counters and limiters.");
    return STATUS_INVALID;
}

bool explain_translate(struct explain_page *page, enum language language) {
    const struct explain_source *own = explain_sources;
    while (own->kind && own->text != page->head)
        own++;
    if (language == LANGUAGE_EN || !own->kind)
        return language == LANGUAGE_EN;
    cleanup_free char *id = mem_printf("%s.zh", own->id);
    for (const struct explain_source *s = explain_sources; s->kind; s++)
        if (strcmp(s->kind, own->kind) == 0 && strcmp(s->id, id) == 0) {
            const char *known = page->id;
            page_of(s, page->kind, page);
            page->id = known;
            page->language = language;
            return true;
        }
    return false;
}

bool explain_head(const struct explain_page *page, const char *key, struct text *out) {
    size_t length = strlen(key);
    const char *line = page->head;
    while (line < page->body && *line && *line != '\n') {
        const char *end = strchrnul(line, '\n');
        if (strncmp(line, key, length) == 0 && strncmp(line + length, ": ", 2) == 0) {
            text_append_bytes(out, line + length + 2, (size_t)(end - line) - length - 2);
            return true;
        }
        line = *end ? end + 1 : end;
    }
    return false;
}

void explain_summary(const struct explain_page *page, struct text *out) {
    size_t row = table_row(page->kind, page->id);
    if (page->language != LANGUAGE_EN && explain_head(page, "summary", out))
        return;
    if (row < table_counts[page->kind])
        text_append(out, table_summary(page->kind, row));
    else
        explain_head(page, "summary", out);
}

void explain_fix(enum language language, enum hazard_fix fix, enum hazard_kind kind,
                 struct text *out) {
    const char *own = message_fix(language, fix);
    struct explain_page page;
    if (own) {
        text_append(out, own);
    } else if (find_source(EXPLAIN_HAZARD, hazard_infos[kind].name, &page)) {
        explain_translate(&page, language);
        explain_head(&page, "fix", out);
    }
}

const char *explain_limiter(const char *sentence) {
    struct explain_page page;
    size_t length = 0;
    while (isalnum((unsigned char)sentence[length]) || sentence[length] == '-')
        length++;
    cleanup_free char *id = mem_strndup(sentence, length);
    return find_source(EXPLAIN_LIMITER, id, &page) ? page.id : NULL;
}
