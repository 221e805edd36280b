/* Reads the declarations of a PTX text and looks for the first use of each:
 *
 *     .extern .func  (.param .b32 func_retval0) _Z3mulff
 *     .extern .global .align 4 .b8 table[12];
 *     .global .align 4 .b8 _ZN1A1tE[12] = {1, 2, 3};
 *     ...
 *     	.loc	1 6 27
 *     	call.uni (retval0), _Z3mulff, (param0, param1);
 *
 * NVRTC and nvcc -ptx leave a function without a body to the linker; so does this room, which has
 * none and must say what one would say. */
#include "sandbox/build/unresolved.h"

#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    char code[3];
    const char *name;
} operators[] = {
    {"pl", "+"},  {"mi", "-"},   {"ml", "*"},  {"dv", "/"},  {"rm", "%"},  {"an", "&"},
    {"or", "|"},  {"eo", "^"},   {"ls", "<<"}, {"rs", ">>"}, {"pL", "+="}, {"mI", "-="},
    {"mL", "*="}, {"dV", "/="},  {"eq", "=="}, {"ne", "!="}, {"lt", "<"},  {"gt", ">"},
    {"le", "<="}, {"ge", ">="},  {"nt", "!"},  {"aa", "&&"}, {"oo", "||"}, {"pp", "++"},
    {"mm", "--"}, {"aS", "="},   {"ix", "[]"}, {"cl", "()"}, {"ng", "-"},  {"co", "~"},
    {"de", "*"},  {"cv", "..."}, {"pt", "->"},
};

/* After the arguments of a template, "ILi3EE": they are not shown. */
static const char *skip_arguments(const char *at, const char *end) {
    unsigned depth = 0;
    while (at < end) {
        if (isdigit((unsigned char)*at) && at[-1] != 'i' && at[-1] != 'j') {
            char *name;
            size_t bytes = strtoul(at, &name, 10);
            at = bytes < (size_t)(end - name) ? name + bytes : end;
            continue;
        }
        depth += *at == 'I' || *at == 'L' || *at == 'N';
        if (*at++ == 'E' && --depth == 0)
            return at;
    }
    return end;
}

/* One part of a name: an identifier, an operator, a constructor (`last` is the class's name). */
static const char *append_part(const char *at, const char *end, bool first, struct text *last,
                               struct text *out) {
    char *name;
    size_t bytes = isdigit((unsigned char)*at) ? strtoul(at, &name, 10) : 0;
    if (bytes && bytes <= (size_t)(end - name)) {
        text_append(out, first ? "" : "::");
        text_append_bytes(out, name, bytes);
        text_clear(last);
        text_append_bytes(last, name, bytes);
        return name + bytes;
    }
    if (!first && (*at == 'C' || *at == 'D') && isdigit((unsigned char)at[1])) {
        text_printf(out, "::%s%s", *at == 'D' ? "~" : "", text_string(last));
        return at + 2;
    }
    for (size_t i = 0; i < ARRAY_LENGTH(operators) && end - at >= 2; i++)
        if (memcmp(at, operators[i].code, 2) == 0) {
            text_printf(out, "%soperator%s", first ? "" : "::", operators[i].name);
            return at + 2;
        }
    return at;
}

/* The name that is mangled from `at` on, after its "_Z"; false where it is of another kind. */
static bool append_name(const char *at, const char *end, struct text *out) {
    cleanup_text struct text last = {0};
    bool nested = *at == 'N', first = true;
    at += nested || *at == 'L';
    at += nested && *at == 'K'; /* a const member function */
    for (; at < end; first = false) {
        const char *next = append_part(at, end, first, &last, out);
        if (next == at)
            break;
        at = next;
        if (!nested)
            return true;
        if (at < end && *at == 'I')
            at = skip_arguments(at, end);
    }
    return !first;
}

void unresolved_append_plain(const char *text, size_t length, struct text *out) {
    for (const char *at = text, *end = text + length; at < end;) {
        bool starts = at == text || !text_is_symbol_character(at[-1]);
        if (!starts || end - at < 4 || strncmp(at, "_Z", 2) != 0) {
            text_append_char(out, *at++);
            continue;
        }
        const char *word_end = at;
        while (word_end < end && text_is_symbol_character(*word_end))
            word_end++;
        if (!append_name(at + 2, word_end, out))
            text_append_bytes(out, at, (size_t)(word_end - at));
        at = word_end;
    }
}

/* The driver and the assembler have these. */
static bool is_system(const char *symbol) {
    static const char *const names[] = {"vprintf", "malloc", "free", "__assertfail"};
    static const char *const families[] = {"__nv", "__cuda", "cuda"};
    for (size_t i = 0; i < ARRAY_LENGTH(names); i++)
        if (strcmp(symbol, names[i]) == 0)
            return true;
    for (size_t i = 0; i < ARRAY_LENGTH(families); i++)
        if (strncmp(symbol, families[i], strlen(families[i])) == 0)
            return true;
    return false;
}

static bool is_symbol(char c) {
    return text_is_symbol_character(c) || c == '$';
}

/* The name of a function's declaration or definition, after ".func" or ".entry". */
static bool read_name(const char *at, char *name, size_t size) {
    at += strspn(at, " \t");
    if (*at == '(') /* the result */
        at = strchr(at, ')') ? strchr(at, ')') + 1 : at;
    at += strspn(at, " \t\n");
    size_t length = 0;
    while (is_symbol(at[length]))
        length++;
    snprintf(name, size, "%.*s", (int)(length < size ? length : size - 1), at);
    return length > 0 && length < size;
}

static bool is_space_of_module(const char *at) {
    return strncmp(at, ".global", 7) == 0 || strncmp(at, ".const", 6) == 0;
}

/* "table" of ".extern .global .align 4 .b8 table[12];" */
static bool read_variable(const char *at, char *name, size_t size) {
    const char *end = at + strcspn(at, "[;=\n");
    while (end > at && end[-1] == ' ')
        end--;
    const char *start = end;
    while (start > at && is_symbol(start[-1]))
        start--;
    snprintf(name, size, "%.*s", (int)((size_t)(end - start) < size ? end - start : 0), start);
    return *name && start > at && start[-1] != '.';
}

static size_t find_declarations(const char *ptx, struct unresolved_symbol *symbols) {
    static const char keyword[] = ".extern ";
    size_t count = 0;
    for (const char *at = ptx; count < UNRESOLVED_MAX && (at = strstr(at, keyword));) {
        bool starts_line = at == ptx || at[-1] == '\n';
        at += sizeof keyword - 1;
        struct unresolved_symbol *symbol = &symbols[count];
        *symbol = (struct unresolved_symbol){.is_function = strncmp(at, ".func", 5) == 0};
        bool named = symbol->is_function
                         ? read_name(at + 5, symbol->symbol, sizeof symbol->symbol)
                         : is_space_of_module(at) &&
                               read_variable(at, symbol->symbol, sizeof symbol->symbol);
        count += starts_line && named && !is_system(symbol->symbol);
    }
    return count;
}

/* Of a variable that the text defines, without its ".visible", ".weak"; NULL. */
static const char *find_definition(const char *line) {
    static const char *const linkages[] = {".visible ", ".weak ", ".common "};
    line += strspn(line, " \t");
    for (size_t i = 0; i < ARRAY_LENGTH(linkages); i++)
        if (strncmp(line, linkages[i], strlen(linkages[i])) == 0)
            line += strlen(linkages[i]);
    return is_space_of_module(line) ? line : NULL;
}

/* ".f32 name = ...": a constant of the host's with a value known to the compiler, which device code
 * may read as it is. The front end folds those of integers itself. */
static bool is_floating_constant(const char *definition) {
    size_t length = strcspn(definition, ";=\n");
    return !memchr(definition, '[', length) &&
           (memmem(definition, length, " .f32 ", 6) || memmem(definition, length, " .f64 ", 6));
}

static bool mentions(const char *line, size_t length, const char *symbol) {
    size_t bytes = strlen(symbol);
    for (const char *at = line; (at = memmem(at, (size_t)(line + length - at), symbol, bytes));
         at += bytes)
        if ((at == line || !is_symbol(at[-1])) && !is_symbol(at[bytes]))
            return true;
    return false;
}

/* The base name of file `number` of .loc. */
static void name_file(const char *ptx, unsigned number, char *name, size_t size) {
    cleanup_free char *sign = mem_printf("\t.file\t%u ", number);
    const char *at = strstr(ptx, sign);
    char path[1024] = "";
    if (at && sscanf(at + strlen(sign), " \"%1023[^\"\n]", path) == 1)
        snprintf(name, size, "%.255s", file_base_name(path));
}

/* Where the reader of find_uses() is. */
struct place {
    unsigned file, line;
    char function[512];
    bool is_kernel, is_declaration;
};

static void move_place(struct place *place, const char *line) {
    unsigned file, number;
    const char *entry = strstr(line, ".entry "), *function = strstr(line, ".func ");
    const char *end = line + strcspn(line, "\n");
    const char *first = line + strspn(line, " \t");
    if (sscanf(line, " .loc %u %u", &file, &number) == 2) {
        place->file = file;
        place->line = number;
    } else if (*first == '.' && ((entry && entry < end) || (function && function < end))) {
        place->is_kernel = entry && entry < end;
        place->is_declaration = strncmp(line, ".extern", 7) == 0;
        place->line = 0;
        read_name(place->is_kernel ? entry + 7 : function + 6, place->function,
                  sizeof place->function);
    }
}

static void find_uses(const char *ptx, struct unresolved_symbol *symbols, size_t count) {
    struct place place = {.is_declaration = true};
    for (const char *line = ptx, *end; *line; line = end) {
        size_t length = strcspn(line, "\n");
        end = line + length + (line[length] == '\n');
        if (strncmp(line, "\t.section", 9) == 0) /* of the debugger, after all functions */
            return;
        if (find_definition(line))
            continue;
        move_place(&place, line);
        for (size_t i = 0; i < count; i++) {
            struct unresolved_symbol *symbol = &symbols[i];
            if (symbol->user[0] || place.is_declaration || strncmp(line, ".extern", 7) == 0 ||
                strncmp(line, "//", 2) == 0 || !mentions(line, length, symbol->symbol))
                continue;
            memcpy(symbol->user, place.function, sizeof symbol->user);
            symbol->user_is_kernel = place.is_kernel;
            symbol->line = place.line;
            if (place.line)
                name_file(ptx, place.file, symbol->file, sizeof symbol->file);
        }
    }
}

size_t unresolved_find(const char *ptx, struct unresolved_symbol *symbols) {
    size_t count = find_declarations(ptx, symbols);
    if (count)
        find_uses(ptx, symbols, count);
    return count;
}

size_t unresolved_find_host(const char *ptx, struct unresolved_symbol *symbols,
                            bool (*is_host)(const void *context, const char *plain),
                            const void *context) {
    size_t count = 0, used = 0;
    for (const char *line = ptx; *line && count < UNRESOLVED_MAX;) {
        const char *definition = find_definition(line), *end = line + strcspn(line, "\n");
        struct unresolved_symbol *symbol = &symbols[count];
        cleanup_text struct text plain = {0};
        *symbol = (struct unresolved_symbol){0};
        if (definition && !is_floating_constant(definition) &&
            read_variable(definition, symbol->symbol, sizeof symbol->symbol)) {
            unresolved_append_plain(symbol->symbol, strlen(symbol->symbol), &plain);
            count += is_host(context, text_string(&plain));
        }
        line = end + (*end == '\n');
    }
    if (count)
        find_uses(ptx, symbols, count);
    for (size_t i = 0; i < count; i++)
        if (symbols[i].user[0])
            symbols[used++] = symbols[i];
    return used;
}
