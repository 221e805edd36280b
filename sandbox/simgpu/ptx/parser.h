/* What the parser's files share: parse.c reads modules, functions and instructions,
 * parse_operand.c their operands, parse_variable.c the declarations of registers, variables and
 * their initialisers. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_PTX_PARSER_H
#define WARPGRADE_SANDBOX_SIMGPU_PTX_PARSER_H

#include "sandbox/simgpu/ptx/lex.h"

#include <uthash.h>

enum symbol_kind { SYMBOL_REGISTERS, SYMBOL_LOCAL_VARIABLE, SYMBOL_MODULE_VARIABLE };

struct symbol {
    UT_hash_handle hh;
    struct ptx_span name;
    enum symbol_kind kind;
    int32_t index;           /* the variable, or the first register of the family */
    uint32_t count;          /* registers in the family; 0: a single register */
    struct symbol *shadowed; /* the outer symbol of the same name */
    struct symbol *previous; /* declared before this one in the same function */
    unsigned depth;          /* of the braces it was declared in */
};

struct parser {
    struct lexer lexer;
    struct token token; /* the one looked at */
    struct ptx_module *module;
    struct ptx_function *function;
    struct symbol *symbols;  /* hash: name -> innermost symbol */
    struct symbol *declared; /* stack of symbols, innermost first */
    unsigned depth;
    int32_t location; /* the .loc in force */
    bool may_negate;  /* -a is an operand here: of vmad */
    bool no_unroll;   /* .pragma "nounroll" stands before the next instruction */
    size_t instruction_count, variable_count; /* of all functions */
    uint64_t initial_bytes;
    struct error *error;
    bool failed;
};

__attribute__((format(printf, 2, 3))) bool parser_fail(struct parser *parser, const char *format,
                                                       ...);
void parser_advance(struct parser *parser);
bool parser_at_sign(const struct parser *parser, char sign);
bool parser_accept_sign(struct parser *parser, char sign);
bool parser_expect_sign(struct parser *parser, char sign);
bool parser_at_directive(const struct parser *parser, const char *name);
bool parser_accept_directive(struct parser *parser, const char *name);
bool parser_expect_name(struct parser *parser, struct ptx_span *name);
/* An integer with an optional minus, between low and high. */
bool parser_expect_integer(struct parser *parser, int64_t low, int64_t high, int64_t *value);

struct symbol *parser_find(struct parser *parser, struct ptx_span name);
bool parser_declare(struct parser *parser, struct ptx_span name, enum symbol_kind kind,
                    int32_t index, uint32_t count);
void parser_leave_scope(struct parser *parser, unsigned depth); /* forgets deeper symbols */

/* parse_operand.c */
bool parser_find_register(struct parser *parser, struct ptx_span name, int32_t *index);
/* "+ 8", "- 8" or nothing. */
bool parser_offset(struct parser *parser, int64_t *offset);
/* The operands up to the semicolon, in one run of module->operands. */
bool parser_operands(struct parser *parser, uint32_t *start, uint32_t *count);

/* After `.reg`: `.b32 %r<12>, x;` */
bool parser_registers(struct parser *parser);
/* After the space directive: `.align 4 .b8 name[16] = {...}`. Declares the symbol. In parameter
 * lists (`is_list`) neither initialisers nor a closing semicolon are read. */
bool parser_variable(struct parser *parser, enum ptx_space space, bool is_extern, bool is_list,
                     int32_t *index);
bool parser_space_directive(struct parser *parser, enum ptx_space *space);

#endif
