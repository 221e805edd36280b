/* The shapes of variables, from the DWARF that a -G build writes into its PTX.
 *
 * The optimised build is silent about types (-lineinfo writes lines only, and so does -G with
 * --dopt=on), and NVRTC 13 leaves the static variables of functions out of its -G builds, too,
 * which is what nearly every __shared__ array is; nvcc has them. As automatic variables they are
 * there: shapes_program() makes `__shared__` mean nothing, and the linkage name of the function
 * gives back the symbol that the variable has in the real build. The size there must agree, else
 * the shape does not count (sandbox/simgpu/program/shape.c). Dynamic shared memory cannot be
 * automatic and stays as it is.
 *
 * A variable with the address of a symbol gets a line, and so does a function's that has parts; its
 * type is followed through arrays and structures. Only what is understood completely is written: a
 * union or a bit-field has no parts, and what a message cannot show has no line. */
#include "sandbox/build/shapes.h"

#include "sandbox/base/memory.h"
#include "sandbox/base/shape.h"
#include "sandbox/base/text.h"
#include "sandbox/build/dwarf.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { VARIABLES_MAX = 4096 };

/* ---- types ----------------------------------------------------------------------------------- */

static bool is_identifier(const char *name) {
    size_t length = 0;
    while (text_is_symbol_character(name[length]))
        length++;
    return length && !name[length] && !isdigit((unsigned char)name[0]);
}

static bool write_type(const struct dwarf *entries, size_t offset, unsigned depth,
                       struct text *out);

static bool write_array(const struct dwarf *entries, const struct dwarf_entry *array,
                        unsigned depth, struct text *out) {
    unsigned rank = 0;
    for (const struct dwarf_entry *child = NULL; (child = dwarf_next_child(entries, array, child));)
        if (child->tag == DWARF_SUBRANGE && rank++ < SHAPE_MAX_DEPTH)
            text_printf(out, "a%llu", (unsigned long long)(child->has_extent ? child->extent : 0));
    return rank && rank < SHAPE_MAX_DEPTH && write_type(entries, array->type, depth, out);
}

/* The front end of NVRTC and nvcc makes a member __b_4node of a base class `node`. */
static bool is_base(const struct dwarf_entry *entry) {
    return entry->tag == DWARF_INHERITANCE ||
           (entry->name && strncmp(entry->name, "__b_", 4) == 0 &&
            isdigit((unsigned char)entry->name[4]));
}

/* Members without a place of their own (bit-fields, static ones) are left out. */
static bool write_structure(const struct dwarf *entries, const struct dwarf_entry *structure,
                            unsigned depth, struct text *out) {
    text_printf(out, "s%llu{", (unsigned long long)structure->bytes);
    for (const struct dwarf_entry *child = NULL;
         (child = dwarf_next_child(entries, structure, child));) {
        bool base = is_base(child);
        if ((child->tag != DWARF_INHERITANCE && child->tag != DWARF_MEMBER) ||
            child->is_bit_field || !child->has_member_offset || !child->type)
            continue;
        const char *name = base || !child->name ? "" : child->name;
        if ((*name && !is_identifier(name)) || out->length > SHAPE_MAX_BYTES)
            return false;
        text_printf(out, "%s@%llu", name, (unsigned long long)child->member_offset);
        if (!write_type(entries, child->type, depth, out))
            return false;
    }
    text_append_char(out, '}');
    return structure->has_bytes;
}

static bool write_type(const struct dwarf *entries, size_t offset, unsigned depth,
                       struct text *out) {
    const struct dwarf_entry *entry = dwarf_find_entry(entries, offset);
    if (!entry || depth == SHAPE_MAX_DEPTH || out->length > SHAPE_MAX_BYTES)
        return false;
    switch (entry->tag) {
    case DWARF_TYPEDEF:
    case DWARF_CONST:
    case DWARF_VOLATILE:
    case DWARF_RESTRICT:
        return write_type(entries, entry->type, depth + 1, out);
    case DWARF_ARRAY:
        return write_array(entries, entry, depth + 1, out);
    case DWARF_STRUCTURE:
    case DWARF_CLASS:
        return write_structure(entries, entry, depth + 1, out);
    case DWARF_POINTER:
    case DWARF_REFERENCE:
        text_append(out, "b8");
        return true;
    case DWARF_BASE:
    case DWARF_ENUMERATION:
    case DWARF_UNION: /* which of its members is meant is not known */
        text_printf(out, "b%llu", (unsigned long long)entry->bytes);
        return entry->has_bytes && entry->bytes;
    default:
        return false;
    }
}

/* ---- the door -------------------------------------------------------------------------------- */

/* The linkage name of the function around the variable, or NULL. */
static const char *function_around(const struct dwarf *entries,
                                   const struct dwarf_entry *variable) {
    const struct dwarf_entry *entry = variable;
    while (entry->tag != DWARF_SUBPROGRAM) {
        if (entry == &entries->rows[entry->parent])
            return NULL;
        entry = &entries->rows[entry->parent];
    }
    if (!entry->linkage_name && entry->specification)
        entry = dwarf_find_entry(entries, entry->specification);
    return entry ? entry->linkage_name : NULL;
}

/* As the compiler names a static variable of a function (Itanium C++ ABI, 5.1.7): _Z3dotPf has
 * _ZZ3dotPfE4tile, and `dot` with C linkage _ZZ3dotE4tile. */
static bool write_symbol(const struct dwarf *entries, const struct dwarf_entry *variable,
                         struct text *out) {
    if (variable->symbol) {
        text_append_bytes(out, variable->symbol->symbol, variable->symbol->length);
        return true;
    }
    const char *function = function_around(entries, variable);
    if (!function || !is_identifier(function) || !variable->name || !is_identifier(variable->name))
        return false;
    if (strncmp(function, "_Z", 2) == 0)
        text_printf(out, "_ZZ%s", function + 2);
    else
        text_printf(out, "_ZZ%zu%s", strlen(function), function);
    text_printf(out, "E%zu%s", strlen(variable->name), variable->name);
    return true;
}

/* `ptx` is the real build's: headers have hundreds of variables that are not in it. */
static void write_variable(const struct dwarf *entries, const struct dwarf_entry *variable,
                           const char *ptx, struct text *out) {
    cleanup_text struct text symbol = {0}, type = {0};
    size_t offset = variable->type;
    if (!offset && variable->specification) { /* defined apart from its declaration */
        const struct dwarf_entry *declared = dwarf_find_entry(entries, variable->specification);
        offset = declared ? declared->type : 0;
    }
    if (!write_type(entries, offset, 0, &type) || type.length > SHAPE_MAX_BYTES ||
        (!variable->symbol && text_string(&type)[0] == 'b') ||
        !write_symbol(entries, variable, &symbol) || !strstr(ptx, text_string(&symbol)))
        return;
    text_printf(out, SHAPE_COMMENT "%s %s\n", text_string(&symbol), text_string(&type));
}

void shapes_append(const char *debug_ptx, const char *ptx, struct text *out) {
    struct dwarf entries;
    size_t variables = 0;
    bool read = dwarf_read(debug_ptx, &entries);
    for (size_t i = 0; read && i < entries.count && variables < VARIABLES_MAX; i++)
        if (entries.rows[i].tag == DWARF_VARIABLE && entries.rows[i].type) {
            write_variable(&entries, &entries.rows[i], ptx, out);
            variables++;
        }
    dwarf_free(&entries);
}

void shapes_program(const char *file_name, const char *source, struct text *program,
                    struct text *rewritten) {
    static const char keyword[] = "__shared__";
    text_printf(program,
                "#define __warpgrade_shared %s\n#undef __shared__\n#define __shared__\n"
                "#include \"%s\"\n",
                "__attribute__((shared))", file_name);
    const char *from = source;
    for (const char *at = source; (at = strstr(at, "extern"));) {
        at += sizeof "extern" - 1;
        const char *word = at + strspn(at, " \t\r\n");
        if (word == at || strncmp(word, keyword, sizeof keyword - 1) != 0)
            continue;
        text_append_bytes(rewritten, from, (size_t)(word - from));
        text_append(rewritten, "__warpgrade_shared");
        from = at = word + sizeof keyword - 1;
    }
    text_append(rewritten, from);
}

/* The constants of the toolkit's headers, of which <cuda/atomic> has a thousand, most of them
 * without a use: no message names their elements. `declaration` begins with the alignment. */
static bool is_of_toolkit(const char *declaration) {
    static const char *const scopes[] = {"_ZN4cuda", "_ZN3cub", "_ZN6thrust",
                                         "_ZN18cooperative_groups"};
    size_t line = strcspn(declaration, "\n");
    for (size_t i = 0; i < ARRAY_LENGTH(scopes); i++) {
        const char *name = memmem(declaration, line, scopes[i], strlen(scopes[i]));
        if (name && name[-1] == ' ')
            return true;
    }
    return false;
}

/* A variable of the PTX whose alignment is more than 4 bytes may hold structures or vectors, and
 * one whose alignment the source sets, numbers narrower than that; the others are found by their
 * brackets in the source. */
bool shapes_are_wanted(const char *source, const char *ptx) {
    bool variables = false, wide = false;
    for (const char *at = ptx; (at = strstr(at, ".align ")); at++) {
        const char *line = at;
        while (line > ptx && line[-1] != '\n')
            line--;
        size_t length = (size_t)(at - line);
        if (!memmem(line, length, ".shared", 7) && !memmem(line, length, ".global", 7) &&
            !memmem(line, length, ".const", 6))
            continue;
        if (is_of_toolkit(at))
            continue;
        variables = true;
        wide |= strtoul(at + 7, NULL, 10) > 4;
    }
    if (!variables || wide)
        return variables;
    for (const char *at = source; (at = strchr(at, ']')); at++)
        if (at[1 + strspn(at + 1, " \t\r\n")] == '[')
            return true;
    return strstr(source, "struct") || strstr(source, "class") || strstr(source, "align");
}
