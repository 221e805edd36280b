/* Tokens of CUDA C++, comments among them, of text that need not compile. */
#ifndef WARPGRADE_GRADER_SOURCE_SOURCE_LEXER_H
#define WARPGRADE_GRADER_SOURCE_SOURCE_LEXER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum token_of_source {
    SOURCE_END,
    SOURCE_NAME,
    SOURCE_NUMBER,
    SOURCE_STRING, /* and characters */
    SOURCE_SIGN,   /* one character */
    SOURCE_COMMENT,
};

struct source_token {
    enum token_of_source kind;
    const char *start;
    size_t length;
    uint32_t line;
};

struct source_lexer {
    const char *next, *end;
    uint32_t line;
};

struct source_token source_lexer_next(struct source_lexer *lexer);
/* Of the language, of CUDA or of its headers: every submission has it. */
bool source_name_is_known(const char *name, size_t length);

#endif
