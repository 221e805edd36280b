/* What to write in place of a parameter that no exercise can pass: exercises pass numbers, and
 * pointers to numbers. Members are read from the author's own text, where their type stands there.
 */
#include "grader/author/draft.h"

#include "grader/source/code.h"

#include <stdio.h>
#include <string.h>

enum { MAX_MEMBERS = 6, MEMBER_BYTES = 48 };

struct members {
    char text[MAX_MEMBERS][MEMBER_BYTES]; /* "float r" */
    size_t count;
    bool is_enum;
    bool whole; /* all of them, and nothing else stands in the braces */
};

/* "pixel" of `const lab::pixel *`. */
static void plain_name(const char *spelled, char name[64]) {
    const char *start = strncmp(spelled, "const ", 6) == 0 ? spelled + 6 : spelled, *colon;
    while ((colon = strstr(start, "::")))
        start = colon + 2;
    snprintf(name, 64, "%.*s", (int)strcspn(start, " *&"), start);
}

/* `TYPE NAME, NAME2[4];` is one member for a reader; methods and what has braces are none. */
static void read_members(const struct code *code, size_t open, struct members *members) {
    size_t close = code->tokens[open].match;
    members->whole = close != CODE_NONE;
    for (size_t at = open + 1; close != CODE_NONE && at < close; at++) {
        size_t first = at;
        for (; at < close && !code_is(code, at, ";"); at++)
            members->whole &= !code_is(code, at, "(") && !code_is(code, at, "{");
        if (members->count == MAX_MEMBERS || at == close) {
            members->whole = false;
            return;
        }
        const char *start = code->tokens[first].start;
        int length = (int)(code->tokens[at].start - start);
        members->whole &= length < MEMBER_BYTES && !memchr(start, '\n', (size_t)length);
        snprintf(members->text[members->count++], MEMBER_BYTES, "%.*s", length, start);
    }
}

static struct members find_members(const struct draft *draft, const char *type) {
    struct members members = {0};
    struct code code;
    char name[64];
    plain_name(type, name);
    code_read(draft->source, draft->length, &code);
    for (size_t i = 1; i + 1 < code.count && !members.count && !members.is_enum; i++) {
        bool is_struct = code_is(&code, i - 1, "struct"), is_class = code_is(&code, i - 1, "class");
        if (!code_is(&code, i, name))
            continue;
        members.is_enum = code_is(&code, i - 1, "enum") ||
                          (i > 1 && (is_struct || is_class) && code_is(&code, i - 2, "enum"));
        if (!members.is_enum && (is_struct || is_class) && code_is(&code, i + 1, "{"))
            read_members(&code, i + 1, &members);
    }
    code_free(&code);
    if (!members.whole)
        members.count = 0;
    return members;
}

static void advise_number(const struct draft_param *param, const struct members *members,
                          const char *type, struct error *error) {
    cleanup_text struct text list = {0};
    for (size_t i = 0; i < members->count; i++)
        text_printf(&list, "%s`%s`", i ? ", " : "", members->text[i]);
    if (members->is_enum || strcmp(type, "bool") == 0)
        error_hint(error, "Exercises pass numbers: write `int %s`.", param->name);
    else if (list.length)
        error_hint(error,
                   "Exercises pass numbers and pointers to numbers: write one parameter for each "
                   "member, %s.",
                   text_string(&list));
    else
        error_hint(error, "Exercises pass numbers and pointers to numbers: write one parameter "
                          "for each member.");
}

static void advise_buffer(const struct draft_param *param, const struct members *members,
                          const char *type, struct error *error) {
    bool is_const = strncmp(type, "const ", 6) == 0;
    const char *qualifier = is_const ? "const " : "";
    char name[64];
    plain_name(type, name);
    cleanup_text struct text list = {0};
    for (size_t i = 0; i < members->count; i++) {
        const char *member = strrchr(members->text[i], ' ');
        if (!member || strpbrk(members->text[i], ",*[:=")) {
            text_clear(&list);
            break;
        }
        text_printf(&list, "%s`%s%.*s *%s_%s`", i ? ", " : "", qualifier,
                    (int)(member - members->text[i]), members->text[i], param->name, member + 1);
    }
    if (strcmp(name, "bool") == 0)
        error_hint(error, "Write `%sunsigned char *%s`: 0 is false.", qualifier, param->name);
    else if (list.length)
        error_hint(error,
                   "Exercises pass numbers and pointers to numbers: write a buffer for each "
                   "member, %s.",
                   text_string(&list));
    else
        error_hint(error,
                   "Exercises pass numbers and pointers to numbers: write `%sfloat *%s`, or "
                   "whichever number it is made of, and cast inside of the kernel: "
                   "`reinterpret_cast<%s%s *>(%s)`.",
                   qualifier, param->name, qualifier, name, param->name);
}

void draft_advise_type(const struct draft *draft, const struct draft_param *param, const char *type,
                       struct error *error) {
    const char *star = strchr(type, '*');
    struct members members = find_members(draft, type);
    if (strchr(type, '&'))
        error_hint(error,
                   "A launch from the host has nothing that a reference could be bound to: write "
                   "a pointer, or a number by value.");
    else if (star && strchr(star + 1, '*'))
        error_hint(error,
                   "Exercises pass one buffer a parameter: write a pointer for each of them, or "
                   "one buffer with rows of the same length.");
    else if (star)
        advise_buffer(param, &members, type, error);
    else
        advise_number(param, &members, type, error);
}
