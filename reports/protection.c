/* How a submission was kept in, in each report's own words. Each says where there was no jail: a
 * reader of a score must see that the code could have written it. */
#include "reports/protection.h"

#include "reports/hazards.h"
#include "reports/message.h"

#include <string.h>

const char *const protection_names[PROTECTION_KIND_COUNT] = {
    [PROTECTION_UNKNOWN] = "",
    [PROTECTION_JAIL] = "bubblewrap",
    [PROTECTION_LANDLOCK] = "landlock",
    [PROTECTION_NONE] = "none",
};

const char *const protection_limiters[PROTECTION_LIMITER_COUNT] = {"cgroup v2", "cgroup v1",
                                                                   "rlimits and supervisor"};

const char *const protection_warning = message_en_without_a_jail;

const char *protection_warning_in(enum language language) {
    return WORDS(language, without_a_jail);
}

static bool has_one_counter(const struct protection *p) {
    return strcmp(p->memory, p->processes) == 0 && strcmp(p->memory, p->cpu) == 0;
}

static const char *limiter_in(enum language language, const char *name) {
    const char *ourselves = protection_limiters[PROTECTION_LIMITER_COUNT - 1];
    return strcmp(name, ourselves) == 0 ? WORDS(language, limited_by_ourselves) : name;
}

void protection_describe(const struct protection *p, enum language language, struct text *out) {
    if (!p->memory)
        return;
    if (p->kind == PROTECTION_NONE)
        text_append(out, WORDS(language, no_jail));
    else
        text_printf(out, "%s%s", protection_names[p->kind], WORDS(language, semicolon));
    if (has_one_counter(p))
        text_printf(out, WORDS(language, limited_by), limiter_in(language, p->memory));
    else
        text_printf(out, WORDS(language, limited_each), limiter_in(language, p->memory),
                    limiter_in(language, p->processes), limiter_in(language, p->cpu));
}

bool protection_is_full(const struct protection *p) {
    return !p->memory || (p->kind == PROTECTION_JAIL && has_one_counter(p) &&
                          strncmp(p->memory, "cgroup", strlen("cgroup")) == 0);
}

void protection_warn(const struct terminal *t, const struct protection *p) {
    if (p->kind != PROTECTION_NONE)
        return;
    terminal_print(t, PEN_BOLD_YELLOW, "  ! ");
    terminal_wrap(t, PEN_BOLD_YELLOW, protection_warning_in(t->language), 4, 4);
}

void protection_row(const struct terminal *t, const struct protection *p) {
    cleanup_text struct text words = {0};
    protection_describe(p, t->language, &words);
    if (!words.length)
        return;
    hazards_detail_label(t, WORDS(t->language, label_jail));
    terminal_wrap(t, PEN_DIM, text_string(&words), DETAIL_INDENT, DETAIL_INDENT);
}
