/* What an instructor should look at, most urgent first: what takes a grade from students without
 * their fault, then what makes grades doubtful, then what the class has not understood. */
#include "reports/class/class_private.h"

#include "sandbox/base/memory.h"

#include <stdlib.h>

enum { MOST_LOOKS = 7, MANY_ABSENT_PERCENT = 25 };

/* A sentence, and where on the page it leads. */
struct look {
    struct text sentence;
    struct text target; /* an id */
};

struct looks {
    struct class_page *page;
    struct look items[MOST_LOOKS];
    size_t count;
};

/* Where to write the next sentence; NULL: there are enough. */
static struct text *add(struct looks *looks, const char *target, size_t number) {
    if (looks->count == MOST_LOOKS)
        return NULL;
    struct look *look = &looks->items[looks->count++];
    text_append(&look->target, target);
    if (number != SIZE_MAX)
        text_printf(&look->target, "%zu", number);
    return &look->sentence;
}

static void look_count(struct looks *looks, size_t count, enum class_string one,
                       enum class_string many, const char *target) {
    struct text *out = count ? add(looks, target, SIZE_MAX) : NULL;
    if (out)
        class_fill(looks->page->report->language, out, count == 1 ? one : many,
                   html_number(count).text, NULL);
}

static void look_cases(struct looks *looks) {
    const struct class_report *report = looks->page->report;
    for (size_t i = 0; i < report->exercise_count; i++) {
        const struct class_case *item = class_suspect_case(&report->exercises[i]);
        struct text *out = item ? add(looks, "x", i) : NULL;
        if (out)
            class_fill(report->language, out, CLASS_SAY_LOOK_CASE, html_number(item->failed).text,
                       html_number(item->ran).text, class_exercise_title(&report->exercises[i]),
                       item->name ? item->name : "?", NULL);
    }
}

static bool misses_many(const struct looks *looks, size_t exercise) {
    const struct class_report *report = looks->page->report;
    size_t absent = looks->page->sum.exercises[exercise].standing[STANDING_ABSENT];
    return !class_is_open(report, exercise) && absent > 1 &&
           absent * 100 >= report->student_count * MANY_ABSENT_PERCENT;
}

/* The exercise that most have not handed in, and how many others there are. */
static void look_absent(struct looks *looks) {
    const struct class_report *report = looks->page->report;
    const struct class_facts *facts = looks->page->sum.exercises;
    size_t worst = SIZE_MAX, count = 0;
    for (size_t i = 0; i < report->exercise_count; i++) {
        if (!misses_many(looks, i))
            continue;
        count++;
        if (worst == SIZE_MAX ||
            facts[i].standing[STANDING_ABSENT] > facts[worst].standing[STANDING_ABSENT])
            worst = i;
    }
    struct text *out = count ? add(looks, "absent", SIZE_MAX) : NULL;
    if (out)
        class_fill(report->language, out,
                   count == 1   ? CLASS_SAY_LOOK_ABSENT
                   : count == 2 ? CLASS_SAY_LOOK_ABSENT_MORE_ONE
                                : CLASS_SAY_LOOK_ABSENT_MORE,
                   html_number(facts[worst].standing[STANDING_ABSENT]).text,
                   html_number(report->student_count).text,
                   class_exercise_title(&report->exercises[worst]), html_number(count - 1).text,
                   NULL);
}

/* The one mistake that most students make. */
static void look_finding(struct looks *looks) {
    const struct class_report *report = looks->page->report;
    const struct class_finding *most = NULL;
    size_t exercise = 0;
    for (size_t i = 0; i < report->exercise_count; i++) {
        const struct class_facts *facts = &looks->page->sum.exercises[i];
        if (facts->finding_count && (!most || facts->findings[0].count > most->count)) {
            most = &facts->findings[0];
            exercise = i;
        }
    }
    struct text *out = most ? add(looks, "x", exercise) : NULL;
    if (!out)
        return;
    cleanup_text struct text what = {0};
    class_append_finding(&what, report->language, most->example);
    class_fill(report->language, out,
               most->count == 1 ? CLASS_SAY_LOOK_FINDING_ONE : CLASS_SAY_LOOK_FINDING,
               html_number(most->count).text, class_exercise_title(&report->exercises[exercise]),
               text_string(&what), NULL);
}

static size_t count_unreadable(const struct class_report *report) {
    size_t count = 0;
    for (size_t i = 0; i < report->student_count; i++)
        for (size_t j = 0; j < report->exercise_count; j++)
            if (class_cell_at(report, i, j)->state == CLASS_UNREADABLE) {
                count++;
                break;
            }
    return count;
}

static void find_looks(struct looks *looks) {
    const struct class_sum *sum = &looks->page->sum;
    look_count(looks, sum->all.unjudged, CLASS_SAY_LOOK_UNJUDGED_ONE, CLASS_SAY_LOOK_UNJUDGED,
               "undecided");
    look_cases(looks);
    look_count(looks, sum->unprotected, CLASS_SAY_LOOK_JAIL_ONE, CLASS_SAY_LOOK_JAIL, "flags");
    look_count(looks, count_unreadable(looks->page->report), CLASS_SAY_LOOK_UNREADABLE_ONE,
               CLASS_SAY_LOOK_UNREADABLE, "undecided");
    look_count(looks, sum->odd, CLASS_SAY_LOOK_HISTORY_ONE, CLASS_SAY_LOOK_HISTORY, "flags");
    look_finding(looks);
    look_count(looks, sum->all.pending, CLASS_SAY_LOOK_PENDING_ONE, CLASS_SAY_LOOK_PENDING,
               "undecided");
    look_absent(looks);
}

/* Without names the page has no lists, only exercises. */
static void write_look(struct class_page *page, const struct look *look) {
    struct html *h = &page->html;
    bool leads = !page->anonymous || text_string(&look->target)[0] == 'x';
    if (leads)
        html_printf(h, "<a href=\"#%s\">", text_string(&look->target));
    html_foreign(h, text_string(&look->sentence));
    html_raw(h, leads ? "</a>" : "");
}

void class_looks(struct class_page *page) {
    struct looks looks = {.page = page};
    if (!page->report->student_count || !page->report->exercise_count)
        return;
    find_looks(&looks);
    class_tagged(page, "<div class=\"next\"><b>", CLASS_SAY_FIRST, "</b> ");
    if (looks.count)
        write_look(page, &looks.items[0]);
    else
        class_say(page, CLASS_SAY_LOOK_NOTHING, NULL);
    html_raw(&page->html, looks.count > 1 ? "<ul class=\"then\">" : "");
    for (size_t i = 1; i < looks.count; i++) {
        html_raw(&page->html, "<li>");
        write_look(page, &looks.items[i]);
        html_raw(&page->html, "</li>");
    }
    html_raw(&page->html, looks.count > 1 ? "</ul></div>\n" : "</div>\n");
    for (size_t i = 0; i < looks.count; i++) {
        text_free(&looks.items[i].sentence);
        text_free(&looks.items[i].target);
    }
}
