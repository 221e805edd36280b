/* The one way from texts and numbers into the page. What is not markup of ours is escaped here, so
 * that no other file of the room has to remember it. */
#include "reports/html/html.h"

#include "reports/escape.h"
#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { LANGUAGES = 2 };

static const char *const strings[HTML_STRING_COUNT][LANGUAGES] = {
#define STRING(ID, english, chinese) {english, chinese},
#include "reports/html/strings.def"
#undef STRING
};

void html_raw(struct html *h, const char *markup) {
    text_append(h->out, markup);
}

void html_printf(struct html *h, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    text_vprintf(h->out, format, arguments);
    va_end(arguments);
}

void html_foreign_bytes(struct html *h, const char *text, size_t length) {
    escape_html(h->out, text, length);
}

void html_foreign(struct html *h, const char *text) {
    if (text)
        html_foreign_bytes(h, text, strlen(text));
}

const char *html_file_name(const struct html *h) {
    const char *file = h->report->file ? h->report->file : "", *name = file_base_name(file);
    if (!h->alone)
        return file;
    while (name > file && name[-1] == '/')
        name--;
    while (name > file && name[-1] != '/')
        name--;
    return name;
}

void html_prose(struct html *h, const char *text) {
    bool in_code = false;
    while (text && *text) {
        size_t length = strcspn(text, "`");
        html_foreign_bytes(h, text, length);
        text += length;
        if (*text == '`' && (in_code || strchr(text + 1, '`'))) {
            html_raw(h, in_code ? "</code>" : "<code>");
            in_code = !in_code;
        } else if (*text == '`') {
            html_raw(h, "`");
        }
        text += *text == '`';
    }
}

void html_tagged(struct html *h, const char *open, const char *text, const char *close) {
    html_raw(h, open);
    html_foreign(h, text);
    html_raw(h, close);
}

void html_tagged_prose(struct html *h, const char *open, const char *text, const char *close) {
    html_raw(h, open);
    html_prose(h, text);
    html_raw(h, close);
}

/* "{0}" and so on become the arguments, of which there are as many as the string needs. */
void html_fill_pattern(struct text *out, const char *pattern, va_list arguments) {
    const char *values[10] = {NULL};
    for (size_t i = 0; i < ARRAY_LENGTH(values); i++)
        if (!(values[i] = va_arg(arguments, const char *)))
            break;
    for (const char *at = pattern; *at;) {
        bool is_slot = at[0] == '{' && at[1] >= '0' && at[1] <= '9' && at[2] == '}';
        if (!is_slot) {
            text_append_char(out, *at++);
            continue;
        }
        const char *value = values[at[1] - '0'];
        text_append(out, value ? value : "");
        at += 3;
    }
}

void html_say(struct html *h, enum html_string string, ...) {
    cleanup_text struct text text = {0};
    va_list arguments;
    va_start(arguments, string);
    html_fill_pattern(&text, strings[string][h->language], arguments);
    va_end(arguments);
    html_foreign(h, text_string(&text));
}

void html_fill(const struct html *h, struct text *out, enum html_string string, ...) {
    va_list arguments;
    va_start(arguments, string);
    html_fill_pattern(out, strings[string][h->language], arguments);
    va_end(arguments);
}

void html_svg(struct html *h, const char *css_class, double width, double height,
              const char *label) {
    html_printf(h, "<svg class=\"%s\" viewBox=\"0 0 %s %s\" role=\"img\" aria-label=\"", css_class,
                decimal(width, 6).text, decimal(height, 6).text);
    html_foreign(h, label);
    html_raw(h, "\">");
    html_tagged(h, "<title>", label, "</title>");
}

/* ---- numbers --------------------------------------------------------------------------------- */

struct html_number html_number(uint64_t value) {
    struct html_number number;
    snprintf(number.text, sizeof number.text, "%" PRIu64, value);
    return number;
}

struct html_number html_integer(int64_t value) {
    struct html_number number;
    snprintf(number.text, sizeof number.text, "%" PRId64, value);
    return number;
}

struct html_number html_time(double ms) {
    struct html_number number;
    if (ms < 1)
        snprintf(number.text, sizeof number.text, "%.20s \u00b5s", decimal(ms * 1e3, 3).text);
    else if (ms < 1000)
        snprintf(number.text, sizeof number.text, "%.20s ms", decimal(ms, 3).text);
    else
        snprintf(number.text, sizeof number.text, "%.20s s", decimal(ms / 1e3, 3).text);
    return number;
}

struct html_number html_rate(double giga, const char *unit) {
    struct html_number number;
    bool tera = giga >= 1000;
    snprintf(number.text, sizeof number.text, "%.16s %s%.8s",
             decimal(tera ? giga / 1000 : giga, 3).text, tera ? "T" : "G", unit);
    return number;
}

struct html_number html_thread(struct dim3 d) {
    struct html_number number;
    snprintf(number.text, sizeof number.text, "(%u, %u, %u)", d.x % 100000000, d.y % 1000000,
             d.z % 1000000);
    return number;
}

/* ---- names ----------------------------------------------------------------------------------- */

enum html_string html_verdict_string(enum verdict verdict) {
    static const enum html_string names[VERDICT_COUNT] = {
#define VERDICT(ID, name, severity, label, summary) SAY_VERDICT_##ID,
#include "sandbox/base/verdict.def"
#undef VERDICT
    };
    return names[verdict];
}

enum html_string html_case_verdict(const struct report_case *item) {
    return report_is_target_missed(item) ? SAY_VERDICT_TARGET_MISSED
                                         : html_verdict_string(item->verdict);
}

enum html_string html_hazard_string(enum hazard_kind kind, enum hazard_fix fix) {
    static const enum html_string names[HAZARD_COUNT] = {
#define HAZARD(ID, ...) SAY_HAZARD_##ID,
#include "sandbox/base/hazard.def"
#undef HAZARD
    };
    /* An address of the host is past no array's end. */
    return fix == FIX_HOST_POINTER ? SAY_HAZARD_HOST_POINTER : names[kind];
}

enum html_string html_access_string(enum scene_access access) {
    static const enum html_string verbs[SCENE_ACCESS_COUNT] = {SAY_NOTE_TOUCHES, SAY_NOTE_READS,
                                                               SAY_NOTE_WRITES, SAY_NOTE_ATOMIC};
    return verbs[access];
}

const char *html_verdict_class(enum verdict verdict) {
    return verdict == VERDICT_PASS       ? "ok"
           : verdict == VERDICT_SKIPPED  ? "off"
           : verdict == VERDICT_TOO_SLOW ? "warn"
                                         : "bad";
}

bool html_is_failure(const struct report_case *item) {
    return item->verdict != VERDICT_PASS && item->verdict != VERDICT_SKIPPED;
}
