/* The rows of the table of `warpgrade doctor`. */
#include "grader/cli/doctor/doctor.h"

#include "reports/escape.h"

#include <stdarg.h>
#include <string.h>

void doctor_row(struct doctor *doctor, const char *name, enum doctor_state state,
                const char *remedy, const char *format, ...) {
    static const char *const words[] = {"works", "missing", "failed"};
    static const char *const colors[] = {"\033[32m", "\033[33m", "\033[31m"};
    cleanup_text struct text found = {0};
    va_list arguments;
    va_start(arguments, format);
    text_vprintf(&found, format, arguments);
    va_end(arguments);
    text_printf(&doctor->out, "  %-14s %s%-7s%s  ", name, doctor->color ? colors[state] : "",
                words[state], doctor->color ? "\033[0m" : "");
    escape_terminal(&doctor->out, text_string(&found), found.length, true);
    text_append_char(&doctor->out, '\n');
    if (state != DOCTOR_WORKS && remedy[0]) {
        text_printf(&doctor->out, "  %-14s %-7s  ", "", "");
        escape_terminal(&doctor->out, remedy, strlen(remedy), true);
        text_append_char(&doctor->out, '\n');
    }
    doctor->failed = doctor->failed || state == DOCTOR_FAILED;
}

void doctor_heading(struct doctor *doctor, const char *title) {
    text_printf(&doctor->out, "\n%s%s%s\n", doctor->color ? "\033[1m" : "", title,
                doctor->color ? "\033[0m" : "");
}
