/* The pages are written in the macros of man(7), which every reader knows. A text of the tables is
 * kept as it is: its paragraphs, its lists (lines that are indented) and what stands in backquotes,
 * which is printed bold. */
#include "grader/cli/install/man_page.h"

#include "grader/cli/install/option_table.h"
#include "sandbox/base/memory.h"

#include <ctype.h>
#include <string.h>

static const struct named {
    const char *name, *about;
} environment[] =
    {
        {"WARPGRADE_HOME",
         "folders with exercises/ and reference/, with colons between them; the first "
         "that has an id decides. An empty entry stands for the exercises that came "
         "with the program."},
        {"WARPGRADE_ANY_HOME",
         "1: takes exercises and compilers also from folders to which others can "
         "write."},
        {"WARPGRADE_CUDA_HOME", "the CUDA toolkit to use; nothing else is looked at."},
        {"CUDA_HOME", "a CUDA toolkit, before the others that are found."},
        {"WARPGRADE_CACHE_DIR", "what has been compiled; default: `$XDG_CACHE_HOME/warpgrade`."},
        {"WARPGRADE_NO_RECORD", "1: keeps and reads no record of attempts."},
        {"NO_COLOR", "no colours."},
},
  files[] = {
      {"PREFIX/share/warpgrade",
       "exercises, references, schemas, device profiles; found from where "
       "the program stands."},
      {"PREFIX/lib/warpgrade/cuda", "NVRTC and CUDA's headers, where there is no toolkit; also "
                                    "`~/.local/share/warpgrade/cuda` and "
                                    "`/usr/local/lib/warpgrade/cuda`. "
                                    "`PREFIX/libexec/warpgrade/fetch-cuda` fills them."},
      {"~/.local/share/warpgrade/attempts", "your own record, which `next` and `progress` read."},
};

/* One line as roff: a control character at its start and backslashes mean nothing, a `-` is one
 * that can be searched for and copied, `words` are bold. */
static void add_line(const char *at, const char *end, struct text *out) {
    bool bold = false;
    if (at < end && (*at == '.' || *at == '\''))
        text_append(out, "\\&");
    for (; at < end; at++) {
        if (*at == '`') {
            bold = !bold;
            text_append(out, bold ? "\\fB" : "\\fR");
        } else if (*at == '\\') {
            text_append(out, "\\e");
        } else if (*at == '-') {
            text_append(out, "\\-");
        } else {
            text_append_char(out, *at);
        }
    }
    text_append(out, bold ? "\\fR\n" : "\n");
}

/* Lines that are indented stay lines. */
static void add_text(const char *text, struct text *out) {
    bool lines = false;
    while (*text) {
        const char *end = strchrnul(text, '\n');
        bool indented = *text == ' ';
        if (indented != lines)
            text_append(out, indented ? ".nf\n" : ".fi\n");
        lines = indented;
        if (end == text)
            text_append(out, ".PP\n");
        else
            add_line(text, end, out);
        text = *end ? end + 1 : end;
    }
    if (lines)
        text_append(out, ".fi\n");
}

static void add_section(const char *name, struct text *out) {
    text_printf(out, ".SH %s\n", name);
}

static void add_term(const char *term, const char *about, struct text *out) {
    text_append(out, ".TP\n\\fB");
    add_line(term, strchr(term, '\0'), out);
    out->length--;
    text_append(out, "\\fR\n");
    add_text(about, out);
}

/* "-e, --exercise=ID" */
static void add_option(const json_t *option, struct text *out) {
    const char *heading = option_table_text(option, "heading");
    const char *name = option_table_text(option, "long"),
               *letter = option_table_text(option, "short");
    const char *value = option_table_text(option, "value");
    bool optional = json_is_true(json_object_get(option, "optional"));
    cleanup_text struct text term = {0};
    if (*heading) {
        text_append(out, ".SS ");
        add_line(heading, strchr(heading, '\0'), out);
        return;
    }
    if (*letter)
        text_printf(&term, "-%s%s%s%s", letter, *name ? ", " : "", *name ? "" : " ",
                    *name ? "" : value);
    if (*name)
        text_printf(&term, "--%s", name);
    if (*name && *value)
        text_printf(&term, optional ? "[=%s]" : "=%s", value);
    add_term(text_string(&term), option_table_text(option, "about"), out);
}

static void add_options(const json_t *command, struct text *out) {
    size_t i;
    json_t *option;
    json_array_foreach(json_object_get(command, "options"), i, option) add_option(option, out);
    add_term("-?, --help", "lists the options.", out);
}

/* One line for each form of the arguments: they stand on lines of their own. */
static void add_synopsis(const char *command, const char *arguments, struct text *out) {
    do {
        const char *end = strchrnul(arguments, '\n');
        cleanup_free char *line =
            mem_printf("`%s` [OPTION ...] %.*s", command, (int)(end - arguments), arguments);
        add_line(line, strchr(line, '\0'), out);
        text_append(out, ".br\n");
        arguments = *end ? end + 1 : end;
    } while (*arguments);
}

static void add_title(const char *name, const char *summary, struct text *out) {
    cleanup_free char *title = mem_strdup(name);
    for (char *at = title; *at; at++)
        *at = (char)toupper((unsigned char)*at);
    text_printf(out, ".TH %s 1 \"\" \"warpgrade %s\" \"warpgrade\"\n", title, WARPGRADE_VERSION);
    add_section("NAME", out);
    cleanup_free char *line = mem_printf("%s - %s", name, summary);
    const char *dash = strstr(line, " - ");
    add_line(line, dash, out);
    out->length--;
    text_append(out, " \\- ");
    add_line(dash + 3, strchr(dash, '\0'), out);
}

static void add_named(const char *section, const struct named *items, size_t count,
                      struct text *out) {
    add_section(section, out);
    for (size_t i = 0; i < count; i++)
        add_term(items[i].name, items[i].about, out);
}

void man_page_program(const json_t *commands, struct text *out) {
    size_t i;
    json_t *command;
    add_title("warpgrade", "grades CUDA kernels, with or without a GPU", out);
    add_section("SYNOPSIS", out);
    add_line("`warpgrade` COMMAND [OPTION ...]", strchr("`warpgrade` COMMAND [OPTION ...]", '\0'),
             out);
    add_section("DESCRIPTION", out);
    add_text("Compiles a kernel with NVRTC, runs it on a simulated GPU (and on a real one where "
             "there is one) against a reference, looks for memory and synchronisation errors, "
             "compares its speed, and writes a scored report. `warpgrade doctor` says what this "
             "machine can do and what is missing.",
             out);
    add_section("COMMANDS", out);
    json_array_foreach(commands, i, command) {
        const char *name = option_table_text(command, "name");
        if (!json_is_null(json_object_get(command, "parent")))
            continue;
        cleanup_free char *page = mem_printf("warpgrade-%s(1)", name);
        add_term(page, option_table_text(command, "summary"), out);
    }
    add_section("EXIT STATUS", out);
    add_text("0 passed, 1 below the pass mark or hazards, 2 usage, exercise or compile error, 3 "
             "this machine cannot grade.",
             out);
    add_named("ENVIRONMENT", environment, ARRAY_LENGTH(environment), out);
    add_named("FILES", files, ARRAY_LENGTH(files), out);
}

static void add_body(const json_t *command, const char *program, bool is_subcommand,
                     struct text *out) {
    const char *after = option_table_text(command, "after");
    const char *about = option_table_text(command, "about");
    if (is_subcommand) {
        add_section(program, out);
        add_synopsis(program, option_table_text(command, "arguments"), out);
        text_append(out, ".PP\n");
    } else {
        add_section("SYNOPSIS", out);
        add_synopsis(program, option_table_text(command, "arguments"), out);
        add_section("DESCRIPTION", out);
    }
    if (!*about)
        about = option_table_text(command, "summary");
    add_text(about, out);
    if (!is_subcommand)
        add_section("OPTIONS", out);
    add_options(command, out);
    if (*after) {
        text_append(out, is_subcommand ? ".PP\n" : ".SH NOTES\n");
        add_text(after, out);
    }
}

void man_page_command(const json_t *commands, size_t index, struct text *out) {
    const json_t *command = json_array_get(commands, index);
    const char *name = option_table_text(command, "name");
    cleanup_free char *page = mem_printf("warpgrade-%s", name);
    cleanup_free char *program = mem_printf("warpgrade %s", name);
    add_title(page, option_table_text(command, "summary"), out);
    add_body(command, program, false, out);
    for (size_t i = index + 1; i < json_array_size(commands); i++) {
        const json_t *sub = json_array_get(commands, i);
        if (json_is_null(json_object_get(sub, "parent")))
            break;
        cleanup_free char *words = mem_printf("%s %s", program, option_table_text(sub, "name"));
        add_body(sub, words, true, out);
    }
    add_section("SEE ALSO", out);
    text_append(out, "\\fBwarpgrade\\fR(1)\n");
}
