/* How a submission was kept in, in each report's own words. Each says where there was no jail: a
 * reader of a score must see that the code could have written it. */
#include "reports/protection.h"

#include "reports/hazards.h"

#include <string.h>

const char *const protection_names[PROTECTION_KIND_COUNT] = {
    [PROTECTION_UNKNOWN] = "",
    [PROTECTION_JAIL] = "bubblewrap",
    [PROTECTION_NONE] = "none",
};

const char *const protection_limiters[PROTECTION_LIMITER_COUNT] = {"cgroup v2", "cgroup v1",
                                                                   "rlimits and supervisor"};

const char protection_warning[] =
    "made without a jail (--unsafe-no-jail): the submission's code could reach this machine's "
    "files, and this report";

static bool has_one_counter(const struct protection *p) {
    return strcmp(p->memory, p->processes) == 0 && strcmp(p->memory, p->cpu) == 0;
}

void protection_describe(const struct protection *p, struct text *out) {
    if (!p->memory)
        return;
    text_append(out, p->kind == PROTECTION_NONE ? "none; " : "bubblewrap; ");
    if (has_one_counter(p))
        text_printf(out, "memory, processes and CPU time limited by %s", p->memory);
    else
        text_printf(out, "limited: memory by %s, processes by %s, CPU time by %s", p->memory,
                    p->processes, p->cpu);
}

bool protection_is_full(const struct protection *p) {
    return !p->memory || (p->kind == PROTECTION_JAIL && has_one_counter(p) &&
                          strncmp(p->memory, "cgroup", strlen("cgroup")) == 0);
}

void protection_warn(const struct terminal *t, const struct protection *p) {
    if (p->kind != PROTECTION_NONE)
        return;
    terminal_print(t, PEN_BOLD_YELLOW, "  ! ");
    terminal_wrap(t, PEN_BOLD_YELLOW, protection_warning, 4, 4);
}

void protection_row(const struct terminal *t, const struct protection *p) {
    cleanup_text struct text words = {0};
    protection_describe(p, &words);
    if (!words.length)
        return;
    hazards_detail_label(t, "jail");
    terminal_wrap(t, PEN_DIM, text_string(&words), DETAIL_INDENT, DETAIL_INDENT);
}
