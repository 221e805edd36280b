/* The list of operators, and the edits that they make. A mutant is the source with one stretch of
 * tokens replaced; lines stay where they are, so that a mutant's line is the source's. */
#include "grader/author/mutate_private.h"

#include "sandbox/base/memory.h"
#include "sandbox/base/text.h"

#include <stdlib.h>
#include <string.h>

const struct mutation_operator_info mutation_operators[OPERATOR_COUNT] = {
#define OPERATOR(ID, NAME, DESCRIPTION) [OPERATOR_##ID] = {NAME, DESCRIPTION},
#include "grader/author/operator.def"
#undef OPERATOR
};

char *mutator_words(const struct mutator *mutator, size_t first, size_t last) {
    const struct code_token *from = &mutator->code->tokens[first];
    const struct code_token *to = &mutator->code->tokens[last];
    return mem_strndup(from->start, (size_t)(to->start - from->start) + to->length);
}

/* On one line, and not a long one. */
static void append_short(struct text *out, const char *words) {
    enum { LONGEST = 48 };
    size_t begun = out->length;
    for (; *words && out->length - begun < LONGEST; words++) {
        bool blank = *words == ' ' || *words == '\n' || *words == '\t';
        if (!blank)
            text_append_char(out, *words);
        else if (out->length > begun && out->data[out->length - 1] != ' ')
            text_append_char(out, ' ');
    }
    text_append(out, *words ? "..." : "");
}

static char *describe(const char *before, const char *after) {
    struct text out = {0};
    append_short(&out, before);
    if (strcmp(after, ";") == 0 || !*after)
        text_append(&out, " is left out");
    else {
        text_append(&out, " -> ");
        append_short(&out, after);
    }
    return text_steal(&out);
}

void mutator_replace_with(const struct mutator *mutator, size_t first, size_t last,
                          const char *text, const char *header) {
    const struct code *code = mutator->code;
    if (first > last || last >= code->count)
        return;
    const char *from = code->tokens[first].start;
    const char *to = code->tokens[last].start + code->tokens[last].length;
    cleanup_free char *before = mutator_words(mutator, first, last);
    struct text out = {0};
    if (header && !memmem(code->source, code->length, header, strlen(header)))
        text_printf(&out, "#include <%s>\n", header);
    text_append_bytes(&out, code->source, (size_t)(from - code->source));
    text_append(&out, text);
    for (const char *at = before; *at; at++) /* the lines after it keep their numbers */
        if (*at == '\n' && !strchr(text, '\n'))
            text_append_char(&out, '\n');
    text_append_bytes(&out, to, (size_t)(code->source + code->length - to));
    struct mutations *mutations = mutator->mutations;
    *mem_push(&mutations->items, &mutations->count, &mutations->capacity) =
        (struct mutation){.made_by = mutator->made_by,
                          .line = code->tokens[first].line,
                          .change = describe(before, text),
                          .text = text_steal(&out)};
}

void mutator_replace(const struct mutator *mutator, size_t first, size_t last, const char *text) {
    mutator_replace_with(mutator, first, last, text, NULL);
}

void mutate(const char *source, size_t length, const char *kernel, struct mutations *mutations) {
    static void (*const functions[OPERATOR_COUNT])(const struct mutator *mutator) = {
#define OPERATOR(ID, NAME, DESCRIPTION) [OPERATOR_##ID] = mutate_##ID,
#include "grader/author/operator.def"
#undef OPERATOR
    };
    struct code code;
    code_read(source, length, &code);
    code_fix_others(&code, kernel);
    for (unsigned i = 0; i < OPERATOR_COUNT; i++) {
        struct mutator mutator = {&code, mutations, (enum mutation_operator)i};
        functions[i](&mutator);
    }
    code_free(&code);
}

void mutations_free(struct mutations *mutations) {
    for (size_t i = 0; i < mutations->count; i++) {
        free(mutations->items[i].change);
        free(mutations->items[i].text);
    }
    free(mutations->items);
    *mutations = (struct mutations){0};
}

/* ---- PTX ------------------------------------------------------------------------------------- */

static bool begins(const char *line, const char *word) {
    return strncmp(line, word, strlen(word)) == 0;
}

char *mutate_plain_ptx(const char *ptx) {
    struct text out = {0};
    bool in_section = false;
    for (const char *line = ptx, *end; *line; line = *end ? end + 1 : end) {
        end = strchrnul(line, '\n');
        const char *at = line + strspn(line, " \t");
        in_section |= begins(at, ".section");
        bool is_place = in_section || begins(at, ".loc") || begins(at, ".file") ||
                        begins(at, "//") || begins(at, "$L__tmp") || at == end;
        if (!is_place) {
            text_append_bytes(&out, at, (size_t)(end - at));
            text_append_char(&out, '\n');
        }
        in_section &= *at != '}';
    }
    text_append(&out, "");
    return out.data ? text_steal(&out) : mem_strdup("");
}
