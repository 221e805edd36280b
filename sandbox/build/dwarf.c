/* Reads the debug information that a -G build writes into its PTX (DWARF 4).
 *
 * PTX spells DWARF out: the sections .debug_abbrev and .debug_info are lists of `.b8 1,17` and
 * `.b64 symbol`. They are read back into bytes, with the symbols beside them, then into a list of
 * entries (chapter 7.5: each says its tag and attributes by an abbreviation). An attribute of an
 * unknown form ends the reading: what is there is understood completely, or is nothing. */
#include "sandbox/build/dwarf.h"

#include "sandbox/base/memory.h"
#include "sandbox/base/text.h"

#include <stdlib.h>
#include <string.h>

enum {
    SECTION_MAX = 16 << 20, /* bytes, */
    ENTRIES_MAX = 1 << 20,
    ABBREVIATIONS_MAX = 4096
};

/* ---- sections as bytes ----------------------------------------------------------------------- */

static void section_free(struct dwarf_section *section) {
    free(section->bytes);
    free(section->relocations);
}

static void add_number(struct dwarf_section *section, uint64_t number, unsigned bytes) {
    for (unsigned i = 0; i < bytes; i++)
        *mem_push(&section->bytes, &section->count, &section->capacity) =
            (unsigned char)(number >> 8 * i);
}

/* ".b8 1,17", ".b64 symbol", ".b32 .debug_abbrev" */
static bool add_items(struct dwarf_section *section, const char *line, const char *end) {
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
            while (text_is_symbol_character(*behind) || *behind == '.')
                behind++;
            if (behind == symbol)
                return false;
            *mem_push(&section->relocations, &section->relocation_count,
                      &section->relocation_capacity) =
                (struct dwarf_symbol){(uint32_t)section->count, symbol, (size_t)(behind - symbol)};
        }
        add_number(section, number, (unsigned)bits / 8);
        at = behind + strcspn(behind, ",\n"); /* the difference of two symbols is of no use here */
        at += *at == ',';
    }
    return true;
}

static bool read_section(const char *ptx, const char *name, struct dwarf_section *section) {
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

struct dwarf_reader {
    const struct dwarf_section *section;
    size_t at;
    bool failed;
};

static uint64_t read_number(struct dwarf_reader *reader, unsigned bytes) {
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

static uint64_t read_leb128(struct dwarf_reader *reader) {
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

static const char *read_string(struct dwarf_reader *reader) {
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

static void skip_bytes(struct dwarf_reader *reader, uint64_t bytes) {
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
    struct dwarf_section section;
    struct abbreviation *rows;
    size_t count, capacity;
};

static bool read_abbreviations(const char *ptx, struct abbreviations *table) {
    if (!read_section(ptx, ".debug_abbrev", &table->section))
        return false;
    struct dwarf_reader reader = {&table->section, 0, false};
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

/* DWARF 4, 7.5.4 */
enum {
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

struct value {
    uint64_t number;
    const char *string;
    size_t start, length; /* of a block */
    bool is_block;
};

static void read_block(struct dwarf_reader *reader, uint64_t length, struct value *value) {
    value->is_block = true;
    value->start = reader->at;
    value->length = length;
    skip_bytes(reader, length);
}

/* DWARF 4, 7.5.5 */
static struct value read_form(struct dwarf_reader *reader, uint64_t form) {
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
static const struct dwarf_symbol *location_symbol(const struct dwarf_section *section,
                                                  const struct value *value) {
    if (!value->is_block || value->length != 9 || section->bytes[value->start] != OPERATION_ADDRESS)
        return NULL;
    for (size_t low = 0, high = section->relocation_count; low < high;) {
        size_t middle = low + (high - low) / 2;
        const struct dwarf_symbol *relocation = &section->relocations[middle];
        if (relocation->offset == value->start + 1)
            return relocation;
        if (relocation->offset < value->start + 1)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

static void set_member_offset(const struct dwarf_section *section, const struct value *value,
                              struct dwarf_entry *entry) {
    entry->has_member_offset = !value->is_block;
    entry->member_offset = value->number;
    if (!value->is_block || value->length < 2 || section->bytes[value->start] != OPERATION_PLUS)
        return;
    struct dwarf_reader reader = {section, value->start + 1, false};
    entry->member_offset = read_leb128(&reader);
    entry->has_member_offset = !reader.failed && reader.at == value->start + value->length;
}

static void set_attribute(const struct dwarf_section *section, uint64_t attribute,
                          const struct value *value, struct dwarf_entry *entry) {
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
                         struct dwarf *entries) {
    const struct dwarf_section *section = &entries->section;
    if (!read_section(ptx, ".debug_info", &entries->section))
        return false;
    struct dwarf_reader reader = {section, 0, false};
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
        struct dwarf_entry entry = {.offset = offset, .tag = row->tag, .parent = parent};
        struct dwarf_reader pairs = {&table->section, row->attributes, false};
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

/* ---- the door -------------------------------------------------------------------------------- */

bool dwarf_read(const char *ptx, struct dwarf *dwarf) {
    struct abbreviations table = {0};
    *dwarf = (struct dwarf){0};
    bool read = read_abbreviations(ptx, &table) && read_entries(ptx, &table, dwarf);
    section_free(&table.section);
    free(table.rows);
    return read;
}

void dwarf_free(struct dwarf *dwarf) {
    section_free(&dwarf->section);
    free(dwarf->rows);
}

const struct dwarf_entry *dwarf_find_entry(const struct dwarf *entries, size_t offset) {
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

const struct dwarf_entry *dwarf_next_child(const struct dwarf *entries,
                                           const struct dwarf_entry *entry,
                                           const struct dwarf_entry *last) {
    size_t parent = (size_t)(entry - entries->rows);
    for (size_t i = (last ? (size_t)(last - entries->rows) : parent) + 1; i < entries->count; i++) {
        if (entries->rows[i].parent == parent)
            return &entries->rows[i];
        if (entries->rows[i].parent < parent)
            break;
    }
    return NULL;
}
