/* Words and numbers of the class report, in both languages: for the page and for what students are
 * sent. Nothing here escapes; who writes does. */
#include "reports/class/class_private.h"

#include "reports/message.h"

#include <ctype.h>
#include <string.h>
#include <time.h>

static const char *const strings[CLASS_STRING_COUNT][LANGUAGE_COUNT] = {
#define CLASS_STRING(ID, english, chinese) {english, chinese},
#include "reports/class/class_strings.def"
#undef CLASS_STRING
};

void class_fill(enum language language, struct text *out, enum class_string string, ...) {
    va_list arguments;
    va_start(arguments, string);
    html_fill_pattern(out, strings[string][language], arguments);
    va_end(arguments);
}

void class_say(struct class_page *page, enum class_string string, ...) {
    cleanup_text struct text text = {0};
    va_list arguments;
    va_start(arguments, string);
    html_fill_pattern(&text, strings[string][page->report->language], arguments);
    va_end(arguments);
    html_foreign(&page->html, text_string(&text));
}

void class_tagged(struct class_page *page, const char *open, enum class_string string,
                  const char *close) {
    html_raw(&page->html, open);
    class_say(page, string, NULL);
    html_raw(&page->html, close);
}

/* ---- times ----------------------------------------------------------------------------------- */

enum { MINUTE = 60, HOUR = 60 * MINUTE, DAY = 24 * HOUR };

/* The calendar's years have four digits: whatever an old gradebook holds, the time can be shown. */
static bool is_shown(struct class_time time) {
    const int64_t year_9999 = 253402300799 - DAY;
    return time.at > 0 && time.at < year_9999;
}

void class_append_time(struct text *out, struct class_time time) {
    if (!is_shown(time))
        return;
    int32_t offset = time.utc_offset > -DAY && time.utc_offset < DAY ? time.utc_offset : 0;
    time_t local = (time_t)(time.at + offset);
    struct tm parts;
    char text[32];
    strftime(text, sizeof text, "%Y-%m-%d %H:%M", gmtime_r(&local, &parts));
    int32_t minutes = (offset < 0 ? -offset : offset) / MINUTE;
    text_printf(out, "%s (UTC", text);
    if (minutes)
        text_printf(out, "%c%d", offset < 0 ? '-' : '+', (int)(minutes / 60));
    if (minutes % 60)
        text_printf(out, ":%02d", (int)(minutes % 60));
    text_append(out, ")");
}

void class_append_duration(struct text *out, enum language language, int64_t seconds) {
    int64_t minutes = seconds / MINUTE + (seconds % MINUTE > 0);
    struct html_number larger, smaller;
    if (seconds >= DAY) {
        larger = html_integer(seconds / DAY);
        smaller = html_integer(seconds % DAY / HOUR);
        class_fill(language, out, CLASS_SAY_DAYS_HOURS, larger.text, smaller.text, NULL);
    } else if (minutes >= 60) {
        larger = html_integer(minutes / 60);
        smaller = html_integer(minutes % 60);
        class_fill(language, out, CLASS_SAY_HOURS_MINUTES, larger.text, smaller.text, NULL);
    } else {
        class_fill(language, out, CLASS_SAY_MINUTES, html_integer(minutes).text, NULL);
    }
}

/* ---- names ----------------------------------------------------------------------------------- */

enum class_string class_state_string(enum class_state state) {
    static const enum class_string names[CLASS_STATE_COUNT] = {
#define CLASS_STATE(ID, name) CLASS_SAY_STATE_##ID,
#include "reports/class/class_state.def"
#undef CLASS_STATE
    };
    return names[state];
}

enum class_string class_flag_string(enum class_flag flag) {
    static const enum class_string names[CLASS_FLAG_COUNT] = {
#define CLASS_FLAG(ID, name) CLASS_SAY_FLAG_##ID,
#include "reports/class/class_flag.def"
#undef CLASS_FLAG
    };
    return names[flag];
}

void class_append_verdict(struct text *out, enum language language, const char *verdict) {
    for (unsigned i = 0; i < VERDICT_COUNT; i++)
        if (strcmp(verdict_infos[i].name, verdict) == 0) {
            text_append(out, message_verdict(language, (enum verdict)i));
            return;
        }
    text_append(out, verdict);
}

void class_append_finding(struct text *out, enum language language, const struct class_cell *cell) {
    const struct html h = {.language = language};
    enum hazard_kind kind;
    if (class_is_set(cell->hazard) && hazard_from_name(cell->hazard, &kind)) {
        html_fill(&h, out, html_hazard_string(kind, FIX_OF_PAGE), NULL);
    } else if (class_is_set(cell->hazard)) {
        text_append(out, cell->hazard);
    } else {
        class_append_verdict(out, language, class_is_set(cell->verdict) ? cell->verdict : "?");
        if (class_is_set(cell->cause)) {
            text_append(out, WORDS(language, colon));
            text_append(out, class_is_set(cell->cause_text) ? cell->cause_text : cell->cause);
        }
    }
    while (out->length && out->data[out->length - 1] == '.')
        out->data[--out->length] = '\0';
}

struct class_time class_deadline(const struct class_exercise *exercise,
                                 const struct class_cell *cell) {
    return cell->own_deadline.at ? cell->own_deadline : exercise->deadline;
}

const char *class_exercise_title(const struct class_exercise *exercise) {
    return class_is_set(exercise->title) ? exercise->title : exercise->id ? exercise->id : "?";
}

const char *class_student_name(const struct class_student *student) {
    return class_is_set(student->name) ? student->name : student->id ? student->id : "?";
}

/* ---- links ----------------------------------------------------------------------------------- */

static bool leads_up(const char *path) {
    for (const char *part = path; part; part = strchr(part, '/')) {
        part += *part == '/';
        if (strncmp(part, "..", 2) == 0 && (!part[2] || part[2] == '/'))
            return true;
    }
    return false;
}

bool class_append_link(struct text *out, const char *path) {
    if (!class_is_set(path) || path[0] == '/' || leads_up(path))
        return false;
    for (const char *c = path; *c; c++)
        if (isalnum((unsigned char)*c) || strchr("-._~/@+", *c))
            text_append_char(out, *c);
        else /* a colon, too: nothing before it is a scheme */
            text_printf(out, "%%%02X", (unsigned)(unsigned char)*c);
    return true;
}

void class_link(struct class_page *page, const char *path, const char *text) {
    cleanup_text struct text link = {0};
    bool linked = class_append_link(&link, path);
    if (linked)
        html_tagged(&page->html, "<a href=\"", text_string(&link), "\">");
    html_foreign(&page->html, text);
    html_raw(&page->html, linked ? "</a>" : "");
}

void class_student(struct class_page *page, size_t student) {
    const struct class_student *row = &page->report->students[student];
    const char *name = class_student_name(row);
    class_link(page, row->page, name);
    if (class_is_set(row->id) && strcmp(row->id, name) != 0)
        html_tagged(&page->html, " <small>", row->id, "</small>");
}

void class_say_students(struct class_page *page, size_t count) {
    class_say(page, count == 1 ? CLASS_SAY_STUDENTS_ONE : CLASS_SAY_STUDENTS,
              html_number(count).text, NULL);
}
