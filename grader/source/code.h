/* CUDA C++ as the operators of mutation see it: the tokens of the text without its comments, with
 * operators of several characters as one token, and each bracket with its other one.
 *
 * A token points into the text, so that an edit is a place in it and all else stays as it is:
 * comments, strings and lines of the preprocessor are never changed. */
#ifndef WARPGRADE_GRADER_SOURCE_CODE_H
#define WARPGRADE_GRADER_SOURCE_CODE_H

#include "grader/source/source_lexer.h"

struct code_token {
    enum token_of_source kind;
    const char *start;
    size_t length;
    unsigned line;
    size_t match;  /* of a bracket: the other one's index; else CODE_NONE */
    bool is_fixed; /* of a line of the preprocessor, or of another kernel */
};

#define CODE_NONE SIZE_MAX

struct code {
    const char *source; /* borrowed */
    size_t length;
    struct code_token *tokens;
    size_t count;
};

/* Never fails: brackets without another one have none. To be freed with code_free(). */
void code_read(const char *source, size_t length, struct code *code);
void code_free(struct code *code);
/* Marks the bodies of all kernels but this one: they are not what an exercise is about. NULL: all
 * are. */
void code_fix_others(struct code *code, const char *kernel);

/* Is token `index` there, and these characters? Outside of the text nothing is. */
bool code_is(const struct code *code, size_t index, const char *word);
bool code_is_name(const struct code *code, size_t index);
/* Is it one of the words, which NULL ends? */
bool code_is_one_of(const struct code *code, size_t index, const char *const *words);

/* From `index`, which is inside of an expression, to the operands' ends: the first token after it
 * (before it) on its own level of brackets that is one of the words. CODE_NONE where there is none.
 */
size_t code_forward(const struct code *code, size_t index, const char *const *words);
size_t code_backward(const struct code *code, size_t index, const char *const *words);

/* The statement that begins at `index`: the token after its end. A block, an `if` with its `else`,
 * a loop with its body, or up to the semicolon. */
size_t code_statement_end(const struct code *code, size_t index);

#endif
