/* The shapes of variables, from the DWARF that a -G build writes into its PTX.
 *
 * The optimised build is silent about types (-lineinfo writes lines only, and so does -G with
 * --dopt=on), and NVRTC 13 leaves the static variables of functions out of its -G builds, too,
 * which is what nearly every __shared__ array is; nvcc has them. As automatic variables they are
 * there: shapes_program() makes `__shared__` mean nothing, and the linkage name of the function
 * gives back the symbol that the variable has in the real build. The size there must agree, else
 * the shape does not count (sandbox/simgpu/shape.c). Dynamic shared memory cannot be automatic and
 * stays as it is.
 *
 * PTX spells DWARF out: the sections .debug_abbrev and .debug_info are lists of `.b8 1,17` and
 * `.b64 symbol`. They are read back into bytes, with the symbols beside them, then into a list of
 * entries (DWARF 4, chapter 7.5: each says its tag and attributes by an abbreviation). A variable
 * with the address of a symbol gets a line, and so does a function's that has parts; its type is
 * followed through arrays and structures.
 *
 * Only what is understood completely is written: an attribute of an unknown form ends the reading,
 * a union or a bit-field has no parts, and what a message cannot show has no line. */
#include "sandbox/build/shapes.h"

#include "grader/base/memory.h"
#include "sandbox/shape.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
    SECTION_MAX = 16 << 20, /* bytes, */
    ENTRIES_MAX = 1 << 20,
    ABBREVIATIONS_MAX = 4096,
    VARIABLES_MAX = 4096
};

/* ---- sections as bytes ----------------------------------------------------------------------- */

struct relocation {
    uint32_t offset;
    const char *symbol;
    size_t length;
};

struct section {
    unsigned char *bytes;
    size_t count, capacity;
    struct relocation *relocations; /* by offset */
    size_t relocation_count, relocation_capacity;
};

static void section_free(struct section *section) {
    free(section->bytes);
    free(section->relocations);
}

static bool is_symbol_character(char c) {
    return isalnum((unsigned char)c) || c == '_' || c == '$';
}

static void add_number(struct section *section, uint64_t number, unsigned bytes) {
    for (unsigned i = 0; i < bytes; i++)
        *mem_push(&section->bytes, &section->count, &section->capacity) =
            (unsigned char)(number >> 8 * i);
}

/* ".b8 1,17", ".b64 symbol", ".b32 .debug_abbrev" */
static bool add_items(struct section *section, const char *line, const char *end) {
    char *at;
    unsigned long bits = strtoul(line + 2, &at, 10);
    if ((bits != 8 && bits != 16 && bits != 32 && bits != 64) || *at != ' ')
        return false;
    while (at < end && section->count < SECTION_MAX) {
        at += strspn(at, " ");
        char *behind;
        uint64_t number = strtoull(at, &behind, 0);
        if (behind == at) {
            const char *symbol = at;
            number = 0;
            while (is_symbol_character(*behind) || *behind == '.')
                behind++;
            if (behind == symbol)
                return false;
            *mem_push(&section->relocations, &section->relocation_count,
                      &section->relocation_capacity) =
                (struct relocation){(uint32_t)section->count, symbol, (size_t)(behind - symbol)};
        }
        add_number(section, number, (unsigned)bits / 8);
        at = behind + strcspn(behind, ",\n"); /* the difference of two symbols is of no use here */
        at += *at == ',';
    }
    return true;
}

static bool read_section(const char *ptx, const char *name, struct section *section) {
    cleanup_free char *head = mem_printf(".section\t%s\n", name);
    const char *line = strstr(ptx, head);
    if (!line) {
        free(head);
        head = mem_printf(".section %s\n", name);
        line = strstr(ptx, head);
    }
    if (!line)
        return false;
    for (line = strchr(line, '{'); line && *line; line++) {
        line += strspn(line, " \t{");
        const char *end = strchrnul(line, '\n');
        if (*line == '}')
            return true;
        if (line[0] == '.' && line[1] == 'b' && !add_items(section, line, end))
            return false;
        line = end;
        if (!*line)
            break;
    }
    return false; /* it does not end */
}

/* ---- reading --------------------------------------------------------------------------------- */

struct reader {
    const struct section *section;
    size_t at;
    bool failed;
};

static uint64_t read_number(struct reader *reader, unsigned bytes) {
    uint64_t number = 0;
    if (reader->failed || reader->section->count - reader->at < bytes) {
        reader->failed = true;
        return 0;
    }
    for (unsigned i = 0; i < bytes && i < 8; i++)
        number |= (uint64_t)reader->section->bytes[reader->at + i] << 8 * i;
    reader->at += bytes;
    return number;
}

static uint64_t read_leb128(struct reader *reader) {
    uint64_t number = 0;
    for (unsigned shift = 0; shift < 63; shift += 7) {
        uint64_t byte = read_number(reader, 1);
        number |= (byte & 0x7f) << shift;
        if (!(byte & 0x80))
            return number;
    }
    reader->failed = true;
    return 0;
}

static const char *read_string(struct reader *reader) {
    if (reader->failed)
        return "";
    const char *start = (const char *)reader->section->bytes + reader->at;
    const char *end = memchr(start, 0, reader->section->count - reader->at);
    if (!end) {
        reader->failed = true;
        return "";
    }
    reader->at += (size_t)(end - start) + 1;
    return start;
}

static void skip_bytes(struct reader *reader, uint64_t bytes) {
    if (reader->failed || bytes > reader->section->count - reader->at)
        reader->failed = true;
    else
        reader->at += bytes;
}

/* ---- abbreviations --------------------------------------------------------------------------- */

struct abbreviation {
    uint64_t code, tag;
    bool children;
    size_t attributes; /* where the pairs of attribute and form begin */
};

struct abbreviations {
    struct section section;
    struct abbreviation *rows;
    size_t count, capacity;
};

static bool read_abbreviations(const char *ptx, struct abbreviations *table) {
    if (!read_section(ptx, ".debug_abbrev", &table->section))
        return false;
    struct reader reader = {&table->section, 0, false};
    while (!reader.failed && table->count < ABBREVIATIONS_MAX) {
        struct abbreviation row = {.code = read_leb128(&reader)};
        if (reader.failed || row.code == 0)
            return !reader.failed;
        row.tag = read_leb128(&reader);
        row.children = read_number(&reader, 1) != 0;
        row.attributes = reader.at;
        uint64_t attribute, form;
        do {
            attribute = read_leb128(&reader);
            form = read_leb128(&reader);
        } while (!reader.failed && (attribute || form));
        *mem_push(&table->rows, &table->count, &table->capacity) = row;
    }
    return false;
}

static const struct abbreviation *find_abbreviation(const struct abbreviations *table,
                                                    uint64_t code) {
    if (code - 1 < table->count &&
        table->rows[code - 1].code == code) /* as compilers number them */
        return &table->rows[code - 1];
    for (size_t i = 0; i < table->count; i++)
        if (table->rows[i].code == code)
            return &table->rows[i];
    return NULL;
}

/* ---- entries --------------------------------------------------------------------------------- */

enum { /* DWARF 4, 7.5.4 */
       TAG_ARRAY = 0x01,
       TAG_CLASS = 0x02,
       TAG_ENUMERATION = 0x04,
       TAG_MEMBER = 0x0d,
       TAG_POINTER = 0x0f,
       TAG_REFERENCE = 0x10,
       TAG_STRUCTURE = 0x13,
       TAG_TYPEDEF = 0x16,
       TAG_UNION = 0x17,
       TAG_INHERITANCE = 0x1c,
       TAG_SUBRANGE = 0x21,
       TAG_BASE = 0x24,
       TAG_CONST = 0x26,
       TAG_SUBPROGRAM = 0x2e,
       TAG_VARIABLE = 0x34,
       TAG_VOLATILE = 0x35,
       TAG_RESTRICT = 0x37,

       ATTRIBUTE_LOCATION = 0x02,
       ATTRIBUTE_NAME = 0x03,
       ATTRIBUTE_BYTES = 0x0b,
       ATTRIBUTE_BITS = 0x0d,
       ATTRIBUTE_UPPER_BOUND = 0x2f,
       ATTRIBUTE_COUNT = 0x37,
       ATTRIBUTE_MEMBER_LOCATION = 0x38,
       ATTRIBUTE_SPECIFICATION = 0x47,
       ATTRIBUTE_TYPE = 0x49,
       ATTRIBUTE_LINKAGE_NAME = 0x6e,
       ATTRIBUTE_MIPS_LINKAGE_NAME = 0x2007, /* what compilers wrote before DWARF 4 had one */

       OPERATION_ADDRESS = 0x03,
       OPERATION_PLUS = 0x23,
};

struct entry {
    size_t offset;
    uint64_t tag;
    const char *name, *linkage_name;
    size_t type, specification; /* offsets of entries; 0: none */
    size_t parent;              /* index; itself at the top */
    uint64_t bytes, extent, member_offset;
    bool has_bytes, has_extent, has_member_offset, is_bit_field;
    const struct relocation *symbol;
};

struct entries {
    struct section section;
    struct entry *rows; /* by offset */
    size_t count, capacity;
};

struct value {
    uint64_t number;
    const char *string;
    size_t start, length; /* of a block */
    bool is_block;
};

static void read_block(struct reader *reader, uint64_t length, struct value *value) {
    value->is_block = true;
    value->start = reader->at;
    value->length = length;
    skip_bytes(reader, length);
}

/* DWARF 4, 7.5.5 */
static struct value read_form(struct reader *reader, uint64_t form) {
    struct value value = {0};
    switch (form) {
    case 0x0b: /* data1 */
    case 0x0c: /* flag */
    case 0x11: /* ref1 */
        value.number = read_number(reader, 1);
        break;
    case 0x05: /* data2 */
    case 0x12: /* ref2 */
        value.number = read_number(reader, 2);
        break;
    case 0x06: /* data4 */
    case 0x0e: /* strp */
    case 0x13: /* ref4 */
    case 0x17: /* sec_offset */
        value.number = read_number(reader, 4);
        break;
    case 0x01: /* addr */
    case 0x07: /* data8 */
    case 0x14: /* ref8 */
        value.number = read_number(reader, 8);
        break;
    case 0x0d: /* sdata: negative ones do not matter here */
    case 0x0f: /* udata */
    case 0x15: /* ref_udata */
        value.number = read_leb128(reader);
        break;
    case 0x08: /* string */
        value.string = read_string(reader);
        break;
    case 0x0a: /* block1 */
        read_block(reader, read_number(reader, 1), &value);
        break;
    case 0x03: /* block2 */
        read_block(reader, read_number(reader, 2), &value);
        break;
    case 0x04: /* block4 */
        read_block(reader, read_number(reader, 4), &value);
        break;
    case 0x09: /* block */
    case 0x18: /* exprloc */
        read_block(reader, read_leb128(reader), &value);
        break;
    case 0x19: /* flag_present */
        value.number = 1;
        break;
    default:
        reader->failed = true;
    }
    return value;
}

/* The symbol of a location that is nothing but an address. */
static const struct relocation *location_symbol(const struct section *section,
                                                const struct value *value) {
    if (!value->is_block || value->length != 9 || section->bytes[value->start] != OPERATION_ADDRESS)
        return NULL;
    for (size_t low = 0, high = section->relocation_count; low < high;) {
        size_t middle = low + (high - low) / 2;
        const struct relocation *relocation = &section->relocations[middle];
        if (relocation->offset == value->start + 1)
            return relocation;
        if (relocation->offset < value->start + 1)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

static void set_member_offset(const struct section *section, const struct value *value,
                              struct entry *entry) {
    entry->has_member_offset = !value->is_block;
    entry->member_offset = value->number;
    if (!value->is_block || value->length < 2 || section->bytes[value->start] != OPERATION_PLUS)
        return;
    struct reader reader = {section, value->start + 1, false};
    entry->member_offset = read_leb128(&reader);
    entry->has_member_offset = !reader.failed && reader.at == value->start + value->length;
}

static void set_attribute(const struct section *section, uint64_t attribute,
                          const struct value *value, struct entry *entry) {
    switch (attribute) {
    case ATTRIBUTE_NAME:
        entry->name = value->string;
        break;
    case ATTRIBUTE_LINKAGE_NAME:
    case ATTRIBUTE_MIPS_LINKAGE_NAME:
        entry->linkage_name = value->string;
        break;
    case ATTRIBUTE_TYPE:
        entry->type = (size_t)value->number;
        break;
    case ATTRIBUTE_SPECIFICATION:
        entry->specification = (size_t)value->number;
        break;
    case ATTRIBUTE_BYTES:
        entry->bytes = value->number;
        entry->has_bytes = !value->is_block;
        break;
    case ATTRIBUTE_BITS:
        entry->is_bit_field = true;
        break;
    case ATTRIBUTE_COUNT:
    case ATTRIBUTE_UPPER_BOUND:
        entry->extent = value->number + (attribute == ATTRIBUTE_UPPER_BOUND);
        entry->has_extent = !value->is_block;
        break;
    case ATTRIBUTE_MEMBER_LOCATION:
        set_member_offset(section, value, entry);
        break;
    case ATTRIBUTE_LOCATION:
        entry->symbol = location_symbol(section, value);
        break;
    default:
        break;
    }
}

/* The first compilation unit, which is the only one that NVRTC writes. */
static bool read_entries(const char *ptx, const struct abbreviations *table,
                         struct entries *entries) {
    const struct section *section = &entries->section;
    if (!read_section(ptx, ".debug_info", &entries->section))
        return false;
    struct reader reader = {section, 0, false};
    uint64_t length = read_number(&reader, 4), version = read_number(&reader, 2);
    skip_bytes(&reader, 4); /* where its abbreviations begin */
    if (version < 2 || version > 4 || read_number(&reader, 1) != 8)
        return false;
    size_t parent = 0, depth = 0;
    while (!reader.failed && reader.at < length + 4 && entries->count < ENTRIES_MAX) {
        size_t offset = reader.at;
        uint64_t code = read_leb128(&reader);
        if (code == 0) {
            if (depth-- <= 1) /* the end of the unit's own children */
                return !reader.failed;
            parent = entries->rows[parent].parent;
            continue;
        }
        const struct abbreviation *row = find_abbreviation(table, code);
        if (!row)
            return false;
        struct entry entry = {.offset = offset, .tag = row->tag, .parent = parent};
        struct reader pairs = {&table->section, row->attributes, false};
        for (;;) {
            uint64_t attribute = read_leb128(&pairs), form = read_leb128(&pairs);
            if (pairs.failed || (!attribute && !form))
                break;
            struct value value = read_form(&reader, form);
            if (reader.failed)
                return false;
            set_attribute(section, attribute, &value, &entry);
        }
        *mem_push(&entries->rows, &entries->count, &entries->capacity) = entry;
        if (row->children) {
            parent = entries->count - 1;
            depth++;
        } else if (depth == 0) {
            return true;
        }
    }
    return false;
}

static const struct entry *find_entry(const struct entries *entries, size_t offset) {
    for (size_t low = 0, high = entries->count; low < high;) {
        size_t middle = low + (high - low) / 2;
        if (entries->rows[middle].offset == offset)
            return &entries->rows[middle];
        if (entries->rows[middle].offset < offset)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

/* ---- types ----------------------------------------------------------------------------------- */

/* The entry's next child behind `last` (NULL: the first), or NULL. */
static const struct entry *next_child(const struct entries *entries, const struct entry *entry,
                                      const struct entry *last) {
    size_t parent = (size_t)(entry - entries->rows);
    for (size_t i = (last ? (size_t)(last - entries->rows) : parent) + 1; i < entries->count; i++) {
        if (entries->rows[i].parent == parent)
            return &entries->rows[i];
        if (entries->rows[i].parent < parent)
            break;
    }
    return NULL;
}

static bool is_identifier(const char *name) {
    size_t length = 0;
    while (is_symbol_character(name[length]))
        length++;
    return length && !name[length] && !isdigit((unsigned char)name[0]);
}

static bool write_type(const struct entries *entries, size_t offset, unsigned depth,
                       struct text *out);

static bool write_array(const struct entries *entries, const struct entry *array, unsigned depth,
                        struct text *out) {
    unsigned rank = 0;
    for (const struct entry *child = NULL; (child = next_child(entries, array, child));)
        if (child->tag == TAG_SUBRANGE && rank++ < SHAPE_MAX_DEPTH)
            text_printf(out, "a%llu", (unsigned long long)(child->has_extent ? child->extent : 0));
    return rank && rank < SHAPE_MAX_DEPTH && write_type(entries, array->type, depth, out);
}

/* The front end of NVRTC and nvcc makes a member __b_4node of a base class `node`. */
static bool is_base(const struct entry *entry) {
    return entry->tag == TAG_INHERITANCE || (entry->name && strncmp(entry->name, "__b_", 4) == 0 &&
                                             isdigit((unsigned char)entry->name[4]));
}

/* Members without a place of their own (bit-fields, static ones) are left out. */
static bool write_structure(const struct entries *entries, const struct entry *structure,
                            unsigned depth, struct text *out) {
    text_printf(out, "s%llu{", (unsigned long long)structure->bytes);
    for (const struct entry *child = NULL; (child = next_child(entries, structure, child));) {
        bool base = is_base(child);
        if ((child->tag != TAG_INHERITANCE && child->tag != TAG_MEMBER) || child->is_bit_field ||
            !child->has_member_offset || !child->type)
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

static bool write_type(const struct entries *entries, size_t offset, unsigned depth,
                       struct text *out) {
    const struct entry *entry = find_entry(entries, offset);
    if (!entry || depth == SHAPE_MAX_DEPTH || out->length > SHAPE_MAX_BYTES)
        return false;
    switch (entry->tag) {
    case TAG_TYPEDEF:
    case TAG_CONST:
    case TAG_VOLATILE:
    case TAG_RESTRICT:
        return write_type(entries, entry->type, depth + 1, out);
    case TAG_ARRAY:
        return write_array(entries, entry, depth + 1, out);
    case TAG_STRUCTURE:
    case TAG_CLASS:
        return write_structure(entries, entry, depth + 1, out);
    case TAG_POINTER:
    case TAG_REFERENCE:
        text_append(out, "b8");
        return true;
    case TAG_BASE:
    case TAG_ENUMERATION:
    case TAG_UNION: /* which of its members is meant, nobody knows */
        text_printf(out, "b%llu", (unsigned long long)entry->bytes);
        return entry->has_bytes && entry->bytes;
    default:
        return false;
    }
}

/* ---- the door -------------------------------------------------------------------------------- */

/* The linkage name of the function around the variable, or NULL. */
static const char *function_around(const struct entries *entries, const struct entry *variable) {
    const struct entry *entry = variable;
    while (entry->tag != TAG_SUBPROGRAM) {
        if (entry == &entries->rows[entry->parent])
            return NULL;
        entry = &entries->rows[entry->parent];
    }
    if (!entry->linkage_name && entry->specification)
        entry = find_entry(entries, entry->specification);
    return entry ? entry->linkage_name : NULL;
}

/* As the compiler names a static variable of a function (Itanium C++ ABI, 5.1.7): _Z3dotPf has
 * _ZZ3dotPfE4tile, and `dot` with C linkage _ZZ3dotE4tile. */
static bool write_symbol(const struct entries *entries, const struct entry *variable,
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
static void write_variable(const struct entries *entries, const struct entry *variable,
                           const char *ptx, struct text *out) {
    cleanup_text struct text symbol = {0}, type = {0};
    size_t offset = variable->type;
    if (!offset && variable->specification) { /* defined apart from its declaration */
        const struct entry *declared = find_entry(entries, variable->specification);
        offset = declared ? declared->type : 0;
    }
    if (!write_type(entries, offset, 0, &type) || type.length > SHAPE_MAX_BYTES ||
        (!variable->symbol && text_string(&type)[0] == 'b') ||
        !write_symbol(entries, variable, &symbol) || !strstr(ptx, text_string(&symbol)))
        return;
    text_printf(out, SHAPE_COMMENT "%s %s\n", text_string(&symbol), text_string(&type));
}

void shapes_append(const char *debug_ptx, const char *ptx, struct text *out) {
    struct abbreviations table = {0};
    struct entries entries = {0};
    if (read_abbreviations(debug_ptx, &table) && read_entries(debug_ptx, &table, &entries)) {
        size_t variables = 0;
        for (size_t i = 0; i < entries.count && variables < VARIABLES_MAX; i++)
            if (entries.rows[i].tag == TAG_VARIABLE && entries.rows[i].type) {
                write_variable(&entries, &entries.rows[i], ptx, out);
                variables++;
            }
    }
    section_free(&table.section);
    section_free(&entries.section);
    free(table.rows);
    free(entries.rows);
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
