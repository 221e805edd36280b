/* Tokens of PTX text (PTX ISA 9.0, chapter 4 "Syntax"). */
#ifndef WARPGRADE_SANDBOX_SIMGPU_PTX_LEX_H
#define WARPGRADE_SANDBOX_SIMGPU_PTX_LEX_H

#include "sandbox/simgpu/ptx/ptx.h"

enum token_kind {
    TOKEN_END,
    TOKEN_NAME,      /* identifiers, registers, mnemonics with their dots, %tid.x */
    TOKEN_DIRECTIVE, /* .reg */
    TOKEN_INTEGER,   /* bits */
    TOKEN_F32,       /* bits */
    TOKEN_F64,       /* bits */
    TOKEN_STRING,    /* span without the quotes */
    TOKEN_SIGN,      /* one character, in `sign` */
    TOKEN_BAD,
};

struct token {
    enum token_kind kind;
    struct ptx_span span;
    uint64_t bits;
    char sign;
    uint32_t line;
};

struct lexer {
    const char *next, *end;
    uint32_t line;
};

struct token lex_next(struct lexer *lexer);

#endif
