/* Reads the directives of attack_file.h. The head of a file is its first comment; what stands in
 * front of a directive there is whatever the language calls a comment. A directive may go on in the
 * next lines, indented after the comment's mark. An unknown or a missing one is an error: a check
 * that is misspelt must not look like one that passes. */
#include "tests/attacks/harness/attack_file.h"

#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"
#include "sandbox/base/text.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_BYTES = 1 << 20 };

static const struct {
    const char *suffix;
    enum attack_kind kind;
} kinds[] = {
    {".cu", ATTACK_CUDA}, {".ptx", ATTACK_PTX}, {".c", ATTACK_NATIVE}, {".e2e", ATTACK_CASE}};

static bool complain(const struct attack_file *attack, const char *what, const char *more) {
    fprintf(stderr, "%s: %s%s%s\n", attack->path, what, *more ? ": " : "", more);
    return false;
}

static bool set_names(struct attack_file *attack, const char *path) {
    attack->path = mem_strdup(path);
    const char *base = file_base_name(path), *dot = strrchr(base, '.');
    for (size_t i = 0; dot && i < ARRAY_LENGTH(kinds); i++) {
        if (strcmp(dot, kinds[i].suffix) != 0)
            continue;
        attack->kind = kinds[i].kind;
        attack->name = mem_strndup(base, (size_t)(dot - base));
        cleanup_free char *folder = mem_strndup(path, base > path ? (size_t)(base - path) - 1 : 0);
        attack->topic = mem_strdup(file_base_name(folder));
        return true;
    }
    return complain(attack, "not an attack's file name", path);
}

static bool add_text(const char **texts, size_t *count, const char *value) {
    if (*count == ATTACK_MAX_TEXTS)
        return false;
    texts[(*count)++] = value;
    return true;
}

static bool set_directive(struct attack_file *attack, const char *word, const char *value) {
    const struct {
        const char *word;
        const char **member;
    } members[] = {
        {"aim", &attack->aim},         {"defence", &attack->defence},
        {"verdict", &attack->verdict}, {"exercise", &attack->exercise},
        {"cases", &attack->cases},     {"options", &attack->options},
        {"name", &attack->file_name},  {"setup", &attack->setup},
        {"needs", &attack->needs},     {"role", &attack->role},
        {"stage", &attack->stage},     {"submission", &attack->submission},
        {"once", &attack->once},       {"bare", &attack->bare},
        {"sim", &attack->sim},         {"landlock", &attack->landlock},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(members); i++)
        if (strcmp(members[i].word, word) == 0) {
            *members[i].member = value;
            return true;
        }
    if (strcmp(word, "says") == 0)
        return add_text(attack->says, &attack->says_count, value);
    if (strcmp(word, "never") == 0)
        return add_text(attack->never, &attack->never_count, value);
    if (strcmp(word, "within") == 0)
        return (attack->within_seconds = strtod(value, NULL)) > 0;
    if (strcmp(word, "exit") == 0)
        return (attack->exit_code = atoi(value)) >= 0;
    return false;
}

/* Is this the line of a directive? "word: value", the word in small letters. */
static bool is_directive(const char *line, size_t *word_length) {
    *word_length = 0;
    while (islower((unsigned char)line[*word_length]))
        (*word_length)++;
    return *word_length > 1 && line[*word_length] == ':' && line[*word_length + 1] == ' ';
}

/* The text of a comment's line; NULL where the head ends. */
static char *comment_text(char *line, bool *inside) {
    char *text = line + strspn(line, " ");
    if (strncmp(text, "/*", 2) == 0) {
        *inside = true;
        text += 2;
    } else if (strncmp(text, "//", 2) == 0) {
        text += 2;
    } else if (*text == '#' && (text[1] == ' ' || text[1] == '\0')) {
        text += 1;
    } else if (*inside && *text == '*') {
        text += 1;
    } else {
        return NULL;
    }
    char *end = strstr(text, "*/");
    if (end) {
        *end = '\0';
        *inside = false;
    }
    for (size_t length = strlen(text); length && text[length - 1] == ' ';)
        text[--length] = '\0';
    return text;
}

/* One line a directive: what goes on in the next lines is joined. */
static void join_head(const struct attack_file *attack, struct text *head) {
    cleanup_free char *copy = mem_strdup(attack->text);
    bool inside = false, in_directive = false;
    for (char *line = copy, *next; line; line = next) {
        next = strchr(line, '\n');
        if (next)
            *next++ = '\0';
        char *text = comment_text(line, &inside);
        if (!text)
            return;
        size_t indent = strspn(text, " "), word;
        if (is_directive(text + indent, &word)) {
            text_printf(head, "%s%s", head->length ? "\n" : "", text + indent);
            in_directive = true;
        } else if (in_directive && indent >= 4) {
            text_printf(head, " %s", text + indent);
        } else {
            in_directive = false;
        }
    }
}

static bool check(const struct attack_file *attack) {
    if (!attack->aim || !attack->defence || !attack->verdict)
        return complain(attack, "`aim`, `defence` and `verdict` must be there", "");
    bool native = attack->kind == ATTACK_NATIVE;
    if (native != (attack->role != NULL) || native != (attack->bare != NULL))
        return complain(attack, "`role` and `bare` belong to .c files", "");
    if (attack->landlock && !native && attack->kind != ATTACK_CUDA)
        return complain(attack, "`landlock` belongs to .c and .cu files", "");
    if ((attack->kind == ATTACK_PTX) != (attack->sim != NULL))
        return complain(attack, "`sim` belongs to .ptx files", "");
    return true;
}

bool attack_file_read(const char *path, struct attack_file *attack) {
    struct error error;
    *attack = (struct attack_file){.exercise = "saxpy",
                                   .options = "",
                                   .stage = "sealed",
                                   .submission = "right",
                                   .within_seconds = 10,
                                   .exit_code = -1};
    if (!set_names(attack, path))
        return false;
    if (file_read(path, MAX_BYTES, &attack->text, &attack->length, &error) != STATUS_OK)
        return complain(attack, error.message, "");
    struct text head = {0};
    join_head(attack, &head);
    attack->head = text_steal(&head);
    for (char *line = attack->head, *next; line && *line; line = next) {
        size_t word;
        next = strchr(line, '\n');
        if (next)
            *next++ = '\0';
        if (strncmp(line, "warpgrade: ", 11) == 0) { /* the submission's own */
            attack->exercise = line + 11;
            continue;
        }
        is_directive(line, &word);
        line[word] = '\0';
        if (!set_directive(attack, line, line + word + 2))
            return complain(attack, "this directive is unknown, or there are too many of it", line);
    }
    return check(attack);
}

void attack_file_free(struct attack_file *attack) {
    free(attack->path);
    free(attack->name);
    free(attack->topic);
    free(attack->text);
    free(attack->head);
}

/* --- the table */

static const char *without_jail(const struct attack_file *attack) {
    if (!attack->bare)
        return "";
    if (strcmp(attack->bare, "succeeds") == 0)
        return "succeeds";
    return strcmp(attack->bare, "leaves") == 0 ? "leaves something behind" : attack->bare + 3;
}

static void print_second_jail(const struct attack_file *attack) {
    bool fails =
        attack->landlock ? strcmp(attack->landlock, "fails") == 0 : attack->kind == ATTACK_NATIVE;
    if (!fails && !attack->landlock)
        printf(" |");
    else
        printf(fails ? " fails |" : " not covered: %s |", attack->landlock);
}

static int compare_paths(const void *left, const void *right) {
    return strcmp(*(char *const *)left, *(char *const *)right);
}

/* A cell of a Markdown table. */
static void print_cell(const char *text) {
    fputs(" ", stdout);
    for (; *text; text++)
        printf(strchr("|\\<", *text) ? "\\%c" : "%c", *text);
    fputs(" |", stdout);
}

bool attack_table_print(char **paths, size_t count) {
    cleanup_free char *topic = mem_strdup("");
    qsort(paths, count, sizeof *paths, compare_paths);
    for (size_t i = 0; i < count; i++) {
        struct attack_file attack;
        if (!attack_file_read(paths[i], &attack))
            return false;
        if (strcmp(topic, attack.topic) != 0) {
            free(topic);
            topic = mem_strdup(attack.topic);
            printf("\n## %s\n\n| attack | aim | defence | verdict | without namespaces | without "
                   "the jail |\n|---|---|---|---|---|---|\n",
                   topic);
        }
        printf("| `%s` |", file_base_name(attack.path));
        print_cell(attack.aim);
        print_cell(attack.defence);
        print_cell(attack.verdict);
        print_second_jail(&attack);
        print_cell(without_jail(&attack));
        putchar('\n');
        attack_file_free(&attack);
    }
    return true;
}
