/* Mnemonics, normalised.
 *
 * Dropped are: signs of types (int or unsigned for an index is a matter of taste), the default
 * rounding, the hint .uni, and .nc, which __restrict__ adds to loads. A comparison is one operation
 * with its mirror image and with its negation: which of the four the compiler writes depends on
 * which side of a branch it lays out first. */
#include "grader/similarity/operation.h"

#include "sandbox/base/memory.h"

#include <stdio.h>
#include <string.h>

static bool is_one_of(const char *part, const char *const *words, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(part, words[i]) == 0)
            return true;
    return false;
}

/* "s32" and "u32" become "b32"; vectors of them keep their length. */
static void drop_sign(char *part) {
    if ((part[0] == 's' || part[0] == 'u') && part[1] >= '1' && part[1] <= '9')
        part[0] = 'b';
}

static bool is_dropped(const char *part) {
    static const char *const dropped[] = {"uni", "rn", "nc", "lo", "to"};
    return is_one_of(part, dropped, ARRAY_LENGTH(dropped));
}

/* The comparison of a setp; false where it is none that has an order. */
static bool take_comparison(struct operation *operation, const char *part) {
    static const struct {
        const char *names[2]; /* ordered and unordered, of floating point */
        bool swapped;
    } rows[] = {{{"lt", "ltu"}, false}, {{"ge", "geu"}, false}, {{"gt", "gtu"}, true},
                {{"le", "leu"}, true},  {{"lo", "lo"}, false},  {{"hs", "hs"}, false},
                {{"hi", "hi"}, true},   {{"ls", "ls"}, true}};
    for (size_t i = 0; i < ARRAY_LENGTH(rows); i++)
        if (is_one_of(part, rows[i].names, 2)) {
            operation->is_ordered = true;
            operation->is_swapped = rows[i].swapped;
            return true;
        }
    return false;
}

static void append(struct operation *operation, const char *part) {
    size_t length = strlen(operation->name);
    snprintf(operation->name + length, sizeof operation->name - length, "%s%s", length ? "." : "",
             part);
}

static void take_part(struct operation *operation, char *part) {
    bool compares = strcmp(operation->name, "setp") == 0 || strcmp(operation->name, "set") == 0;
    if (compares && take_comparison(operation, part)) {
        append(operation, "order");
    } else if (compares &&
               (strcmp(part, "ne") == 0 || strcmp(part, "neu") == 0 || strcmp(part, "equ") == 0)) {
        append(operation, "eq");
    } else if (!is_dropped(part)) {
        drop_sign(part);
        append(operation, part);
    }
}

static void classify(struct operation *operation, const char *first) {
    static const char *const commute[] = {"add", "mul", "and", "or",  "xor",
                                          "min", "max", "fma", "mad", "addc"};
    operation->is_move = strcmp(first, "mov") == 0 || strcmp(first, "cvta") == 0;
    operation->is_branch = strcmp(first, "bra") == 0;
    operation->is_call = strcmp(first, "call") == 0;
    operation->is_parameter = strncmp(operation->name, "ld.param", 8) == 0;
    bool equal = strncmp(operation->name, "setp.eq", 7) == 0;
    operation->commutes = equal || is_one_of(first, commute, ARRAY_LENGTH(commute)) ? 2 : 0;
}

struct operation operation_read(struct ptx_span mnemonic) {
    struct operation operation = {0};
    char text[64], *rest = NULL, first[64] = "";
    snprintf(text, sizeof text, "%.*s", (int)(mnemonic.length < 63 ? mnemonic.length : 63),
             mnemonic.start);
    for (char *part = strtok_r(text, ".", &rest); part; part = strtok_r(NULL, ".", &rest)) {
        if (!first[0])
            snprintf(first, sizeof first, "%s", part);
        take_part(&operation, part);
    }
    classify(&operation, first);
    return operation;
}
