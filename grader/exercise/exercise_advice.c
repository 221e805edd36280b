/* What to type where exercise.yaml does not say it as it is said: the hint is a line of YAML. */
#include "grader/exercise/exercise_advice.h"

#include "sandbox/base/memory.h"
#include "sandbox/base/text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    enum schema_choice choice;
    const char *word, *line;
} typed[] = {
#define TYPED(CHOICE, WORD, LINE) {CHOICE_##CHOICE, WORD, LINE},
#include "grader/exercise/typed_word.def"
#undef TYPED
};

static const char *find_line(enum schema_choice choice, const char *word) {
    for (size_t i = 0; i < ARRAY_LENGTH(typed); i++)
        if (typed[i].choice == choice && strcasecmp(typed[i].word, word) == 0)
            return typed[i].line;
    return NULL;
}

/* "const float *" is a float: that it is a pointer follows from role and shape. */
static char *without_pointer(const char *word) {
    static const char constant[] = "const ";
    word += strncmp(word, constant, sizeof constant - 1) == 0 ? sizeof constant - 1 : 0;
    size_t length = strcspn(word, "*&");
    while (length && word[length - 1] == ' ')
        length--;
    return word[length] ? mem_strndup(word, length) : NULL;
}

void advise_word(enum schema_choice choice, const struct yaml_node *node, struct error *error) {
    if (node->kind != YAML_SCALAR)
        return;
    char *end;
    const char *line = find_line(choice, node->text);
    cleanup_free char *plain = choice == CHOICE_types ? without_pointer(node->text) : NULL;
    if (line)
        error_hint(error, "write %s", line);
    else if (plain && find_line(choice, plain))
        error_hint(error, "write %s; a parameter with a shape is a pointer",
                   find_line(choice, plain));
    else if (choice == CHOICE_tolerances && *node->text && strtod(node->text, &end) > 0 && !*end)
        error_hint(error, "write tolerance: {rel: %.40s}, or {abs: %.40s}", node->text, node->text);
    else if (choice == CHOICE_fills && *node->text && (strtod(node->text, &end), !*end))
        error_hint(error, "write fill: {constant: %.40s}", node->text);
}

/* `key: Some words` where each language has its own. */
void advise_language(const char *path, const struct yaml_node *node, struct error *error) {
    const char *key = strrchr(path, '.');
    if (node->kind == YAML_SCALAR && node->text[0] && !strpbrk(node->text, "\n\"\\"))
        error_hint(error, "write %.60s: {en: \"%.200s\"}", key ? key + 1 : path, node->text);
}

/* The text of an expression from the node on, to the parenthesis that ends its calls. */
void advise_comma(const struct yaml_document *document, const struct yaml_node *node,
                  struct error *error) {
    const char *at = document->source, *end = document->source + document->source_length;
    for (unsigned line = 1; line < node->line && at < end; at++)
        line += *at == '\n';
    at += (size_t)(end - at) > node->column - 1 ? node->column - 1 : 0;
    int open = 0;
    size_t length = 0;
    for (; at + length < end && at[length] != '\n'; length++) {
        open += (at[length] == '(') - (at[length] == ')');
        if (open == 0 && strchr(",]}", at[length]))
            break;
    }
    while (length && at[length - 1] == ' ')
        length--;
    error_hint(
        error,
        "Inside [ ] and { } a comma ends the value: put quotes around the expression, \"%.*s\"",
        (int)(length > 200 ? 200 : length), at);
}
