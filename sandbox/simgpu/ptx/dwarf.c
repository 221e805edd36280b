/* Local variables by the debug information of the PTX text (DWARF 2, as -G writes it).
 *
 * All local variables of a function are one .local variable in PTX, its depot. Which bytes of it
 * are whose stands in the sections .debug_abbrev and .debug_info, as lists of numbers between which
 * names of symbols stand: a variable's location is the address of the depot plus an offset
 * (DW_OP_addr, DW_OP_plus_uconst), its size that of its type.
 *
 * The text is hostile. Whatever is not understood ends the search: what has been found until then
 * is right, and what is missing is not checked. */
#include "sandbox/simgpu/ptx/dwarf.h"

#include "sandbox/base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    TAG_ARRAY = 0x01,
    TAG_ENUM = 0x04,
    TAG_POINTER = 0x0f,
    TAG_REFERENCE = 0x10,
    TAG_STRUCT = 0x13,
    TAG_TYPEDEF = 0x16,
    TAG_UNION = 0x17,
    TAG_CLASS = 0x02,
    TAG_SUBRANGE = 0x21,
    TAG_BASE = 0x24,
    TAG_CONST = 0x26,
    TAG_VARIABLE = 0x34,
    TAG_VOLATILE = 0x35,
    AT_LOCATION = 0x02,
    AT_NAME = 0x03,
    AT_BYTE_SIZE = 0x0b,
    AT_UPPER_BOUND = 0x2f,
    AT_COUNT = 0x37,
    AT_TYPE = 0x49,
    OP_ADDRESS = 0x03,
    OP_PLUS = 0x23,
    HEADER_BYTES = 11, /* of a compilation unit */
    MAX_CODE = 1 << 12,
    MAX_DEPTH = 16,
    MAX_VARIABLES = 1 << 14,
    MAX_STEPS = 1 << 21, /* attributes read, in all, with a step more for each 64 bytes of them */
    MAX_DEPOT = 1 << 20,
};

/* ---- sections -----------------------------------------------------------------------------------
 */

struct symbol {
    size_t at;
    struct ptx_span name;
};

struct section {
    unsigned char *bytes;
    size_t length, capacity;
    struct symbol *symbols; /* in place of 8 bytes that are 0 */
    size_t symbol_count, symbol_capacity;
};

static void free_section(struct section *section) {
    free(section->bytes);
    free(section->symbols);
}

static bool is_name(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '$' || c == '.' || c == '%';
}

/* After ".section name {"; NULL: there is none. */
static const char *find_section(struct ptx_span text, const char *name) {
    const char *at = text.start, *end = text.start + text.length;
    size_t length = strlen(name);
    while ((at = memmem(at, (size_t)(end - at), ".section", 8))) {
        for (at += 8; at < end && (*at == ' ' || *at == '\t');)
            at++;
        if ((size_t)(end - at) <= length || memcmp(at, name, length) != 0 || is_name(at[length]))
            continue;
        at = memchr(at, '{', (size_t)(end - at));
        return at ? at + 1 : NULL;
    }
    return NULL;
}

static void put(struct section *section, uint64_t value, unsigned bytes) {
    for (unsigned i = 0; i < bytes; i++)
        *mem_push(&section->bytes, &section->length, &section->capacity) =
            (unsigned char)(value >> 8 * i);
}

/* A number, or a symbol with a number that is added to it; both may have the sign. */
static const char *put_item(struct section *section, const char *at, const char *end,
                            unsigned bytes) {
    const char *start = at;
    while (at < end && is_name(*at))
        at++;
    bool number = at > start && *start >= '0' && *start <= '9';
    uint64_t value = 0;
    for (const char *c = start; number && c < at && *c >= '0' && *c <= '9'; c++)
        value = value * 10 + (uint64_t)(*c - '0');
    if (!number && bytes == 8)
        *mem_push(&section->symbols, &section->symbol_count, &section->symbol_capacity) =
            (struct symbol){section->length, {start, (unsigned)(at - start)}};
    put(section, value, bytes);
    return at;
}

/* Lines of .b8, .b32 and .b64 until '}'. */
static bool read_section(struct ptx_span text, const char *name, struct section *section) {
    const char *end = text.start + text.length, *at = find_section(text, name);
    unsigned bytes = 0;
    while (at && at < end && *at != '}') {
        if (*at == '.' && end - at > 3 && at[1] == 'b') {
            bytes = at[2] == '8' ? 1 : at[2] == '1' ? 2 : at[2] == '3' ? 4 : at[2] == '6' ? 8 : 0;
            for (at++; at < end && is_name(*at);)
                at++;
        } else if (is_name(*at) && bytes) {
            at = put_item(section, at, end, bytes);
            while (at < end && *at != ',' && *at != '\n' && *at != '}')
                at++; /* "+266" */
        } else {
            at++;
        }
    }
    return section->length != 0;
}

/* ---- entries ------------------------------------------------------------------------------------
 */

struct reader {
    const struct section *info, *abbreviations;
    size_t codes[MAX_CODE]; /* where each is declared; 0: it is not */
    size_t unit;            /* where the compilation unit begins */
    unsigned steps;
};

struct entry {
    unsigned tag; /* 0: the end of a list of children */
    uint64_t bytes, type, count;
    bool has_count;
    const char *name; /* ends with a zero */
    size_t location, location_length;
    size_t next;
};

static bool read_byte(const struct section *section, size_t *at, unsigned *byte) {
    if (*at >= section->length)
        return false;
    *byte = section->bytes[(*at)++];
    return true;
}

static bool read_number(const struct section *section, size_t *at, unsigned bytes,
                        uint64_t *value) {
    *value = 0;
    if (section->length < bytes || *at > section->length - bytes)
        return false;
    for (unsigned i = 0; i < bytes; i++)
        *value |= (uint64_t)section->bytes[(*at)++] << 8 * i;
    return true;
}

/* LEB128; the sign of a negative number does not matter here. */
static bool read_leb(const struct section *section, size_t *at, uint64_t *value) {
    unsigned byte = 0x80;
    *value = 0;
    for (unsigned shift = 0; byte & 0x80; shift += 7) {
        if (shift > 63 || !read_byte(section, at, &byte))
            return false;
        *value |= (uint64_t)(byte & 0x7f) << shift;
    }
    return true;
}

static bool read_string(const struct section *section, size_t *at, const char **string) {
    const void *end =
        *at < section->length ? memchr(section->bytes + *at, 0, section->length - *at) : NULL;
    if (!end)
        return false;
    *string = (const char *)section->bytes + *at;
    *at = (size_t)((const unsigned char *)end - section->bytes) + 1;
    return true;
}

static bool read_block(const struct section *section, size_t *at, unsigned length_bytes,
                       size_t *start, uint64_t *length) {
    bool read = length_bytes ? read_number(section, at, length_bytes, length)
                             : read_leb(section, at, length);
    *start = *at;
    if (!read || *length > section->length - *at)
        return false;
    *at += (size_t)*length;
    return true;
}

/* One attribute's value: a number, a string or a block. */
static bool read_form(const struct section *info, size_t *at, uint64_t form, uint64_t *value,
                      const char **string, size_t *block) {
    static const unsigned char widths[0x21] = {
        [0x01] = 8, [0x05] = 2, [0x06] = 4, [0x07] = 8, [0x0b] = 1, [0x0c] = 1, [0x0e] = 4,
        [0x10] = 8, [0x11] = 1, [0x12] = 2, [0x13] = 4, [0x14] = 8, [0x17] = 4, [0x20] = 8};
    if (form < sizeof widths && widths[form])
        return read_number(info, at, widths[form], value);
    switch (form) {
    case 0x03: /* blocks with a length of 2, 4 and 1 bytes, or LEB128 */
        return read_block(info, at, 2, block, value);
    case 0x04:
        return read_block(info, at, 4, block, value);
    case 0x0a:
        return read_block(info, at, 1, block, value);
    case 0x09:
    case 0x18:
        return read_block(info, at, 0, block, value);
    case 0x08:
        return read_string(info, at, string);
    case 0x0d: /* signed and unsigned LEB128 */
    case 0x0f:
    case 0x15:
        return read_leb(info, at, value);
    case 0x19: /* a flag that is there */
        return true;
    default:
        return false;
    }
}

static void take_attribute(struct entry *entry, uint64_t attribute, uint64_t value,
                           const char *string, size_t block) {
    switch (attribute) {
    case AT_NAME:
        entry->name = string;
        break;
    case AT_BYTE_SIZE:
        entry->bytes = value;
        break;
    case AT_TYPE:
        entry->type = value;
        break;
    case AT_UPPER_BOUND:
    case AT_COUNT:
        entry->has_count = true;
        entry->count = value + (attribute == AT_UPPER_BOUND);
        break;
    case AT_LOCATION:
        entry->location = block;
        entry->location_length = block ? (size_t)value : 0;
        break;
    default:
        break;
    }
}

static bool read_entry(struct reader *reader, size_t at, struct entry *entry) {
    const struct section *abbreviations = reader->abbreviations;
    uint64_t code, tag, attribute, form;
    unsigned children;
    *entry = (struct entry){0};
    if (reader->steps++ > MAX_STEPS || !read_leb(reader->info, &at, &code))
        return false;
    entry->next = at;
    if (!code)
        return true;
    size_t from = code < MAX_CODE ? reader->codes[code] : 0;
    if (!from || !read_leb(abbreviations, &from, &tag) ||
        !read_byte(abbreviations, &from, &children))
        return false;
    entry->tag = (unsigned)tag;
    for (;;) {
        uint64_t value = 0;
        const char *string = NULL;
        size_t block = 0, before = at;
        if (!read_leb(abbreviations, &from, &attribute) || !read_leb(abbreviations, &from, &form))
            return false;
        if (!attribute && !form)
            break;
        if (!read_form(reader->info, &at, form, &value, &string, &block))
            return false;
        reader->steps += 1 + (unsigned)((at - before) / 64);
        if (reader->steps > MAX_STEPS)
            return false;
        take_attribute(entry, attribute, value, string, block);
    }
    entry->next = at;
    return true;
}

static bool find_codes(struct reader *reader) {
    const struct section *section = reader->abbreviations;
    uint64_t code, skipped, form;
    unsigned children;
    for (size_t at = 0; at < section->length;) {
        if (!read_leb(section, &at, &code))
            return false;
        if (!code)
            return true;
        if (code >= MAX_CODE)
            return false;
        reader->codes[code] = at;
        if (!read_leb(section, &at, &skipped) || !read_byte(section, &at, &children))
            return false;
        do
            if (!read_leb(section, &at, &skipped) || !read_leb(section, &at, &form))
                return false;
        while (skipped || form);
    }
    return true;
}

/* Bytes of a type; 0: unknown. */
static uint64_t size_of_type(struct reader *reader, uint64_t type, unsigned depth) {
    struct entry entry;
    if (depth == MAX_DEPTH || !type || type > reader->info->length ||
        !read_entry(reader, reader->unit + (size_t)type, &entry))
        return 0;
    switch (entry.tag) {
    case TAG_BASE:
    case TAG_STRUCT:
    case TAG_CLASS:
    case TAG_UNION:
    case TAG_ENUM:
        return entry.bytes;
    case TAG_POINTER:
    case TAG_REFERENCE:
        return 8;
    case TAG_TYPEDEF:
    case TAG_CONST:
    case TAG_VOLATILE:
        return size_of_type(reader, entry.type, depth + 1);
    case TAG_ARRAY:
        break;
    default:
        return 0;
    }
    uint64_t bytes = size_of_type(reader, entry.type, depth + 1);
    struct entry range;
    for (size_t at = entry.next; read_entry(reader, at, &range) && range.tag; at = range.next) {
        if (range.tag != TAG_SUBRANGE || !range.has_count || range.count > MAX_DEPOT)
            return 0;
        bytes *= range.count;
        if (bytes > MAX_DEPOT)
            return 0;
    }
    return bytes;
}

/* ---- variables ----------------------------------------------------------------------------------
 */

static const struct symbol *symbol_at(const struct section *section, size_t at) {
    size_t low = 0, high = section->symbol_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (section->symbols[middle].at < at)
            low = middle + 1;
        else
            high = middle;
    }
    return low < section->symbol_count && section->symbols[low].at == at ? &section->symbols[low]
                                                                         : NULL;
}

/* The address of a symbol and perhaps an offset, nothing else. */
static bool read_location(const struct reader *reader, const struct entry *entry,
                          struct dwarf_variable *variable) {
    const struct section *info = reader->info;
    size_t at = entry->location, end = at + entry->location_length;
    uint64_t offset = 0;
    if (entry->location_length < 9 || info->bytes[at] != OP_ADDRESS)
        return false;
    const struct symbol *symbol = symbol_at(info, at + 1);
    at += 9;
    if (at < end && (info->bytes[at++] != OP_PLUS || !read_leb(info, &at, &offset)))
        return false;
    if (!symbol || at != end || offset > MAX_DEPOT)
        return false;
    variable->area = symbol->name;
    variable->offset = (uint32_t)offset;
    return true;
}

static void find_in_unit(struct reader *reader, size_t end, struct dwarf_variable **variables,
                         size_t *count, size_t *capacity) {
    struct entry entry;
    for (size_t at = reader->unit + HEADER_BYTES;
         at < end && *count < MAX_VARIABLES && read_entry(reader, at, &entry); at = entry.next) {
        struct dwarf_variable variable = {0};
        if (entry.tag != TAG_VARIABLE || !entry.name || !entry.location ||
            !read_location(reader, &entry, &variable))
            continue;
        uint64_t bytes = size_of_type(reader, entry.type, 0);
        if (!bytes || bytes > MAX_DEPOT)
            continue;
        variable.bytes = (uint32_t)bytes;
        snprintf(variable.name, sizeof variable.name, "%s", entry.name);
        *mem_push(variables, count, capacity) = variable;
    }
}

struct dwarf_variable *dwarf_find_variables(struct ptx_span text, size_t *count) {
    struct section info = {0}, abbreviations = {0};
    struct dwarf_variable *variables = NULL;
    size_t capacity = 0;
    *count = 0;
    cleanup_free struct reader *reader = mem_zalloc(sizeof *reader);
    reader->info = &info;
    reader->abbreviations = &abbreviations;
    if (read_section(text, ".debug_info", &info) &&
        read_section(text, ".debug_abbrev", &abbreviations) && find_codes(reader)) {
        uint64_t length;
        for (size_t at = 0; read_number(&info, &at, 4, &length);) {
            reader->unit = at - 4;
            if (length > info.length - at)
                length = info.length - at;
            at += (size_t)length;
            find_in_unit(reader, at, &variables, count, &capacity);
        }
    }
    free_section(&info);
    free_section(&abbreviations);
    return variables;
}
