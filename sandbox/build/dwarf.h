/* Debug information of a PTX text as a list of entries. Private to the room; runs in the worker. */
#ifndef WARPGRADE_SANDBOX_BUILD_DWARF_H
#define WARPGRADE_SANDBOX_BUILD_DWARF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* DWARF 4, 7.5.4 */
enum dwarf_tag {
    DWARF_ARRAY = 0x01,
    DWARF_CLASS = 0x02,
    DWARF_ENUMERATION = 0x04,
    DWARF_MEMBER = 0x0d,
    DWARF_POINTER = 0x0f,
    DWARF_REFERENCE = 0x10,
    DWARF_STRUCTURE = 0x13,
    DWARF_TYPEDEF = 0x16,
    DWARF_UNION = 0x17,
    DWARF_INHERITANCE = 0x1c,
    DWARF_SUBRANGE = 0x21,
    DWARF_BASE = 0x24,
    DWARF_CONST = 0x26,
    DWARF_SUBPROGRAM = 0x2e,
    DWARF_VARIABLE = 0x34,
    DWARF_VOLATILE = 0x35,
    DWARF_RESTRICT = 0x37,
};

/* A symbol that stands in a section, where PTX does not know the number. */
struct dwarf_symbol {
    uint32_t offset;
    const char *symbol;
    size_t length;
};

struct dwarf_section {
    unsigned char *bytes;
    size_t count, capacity;
    struct dwarf_symbol *relocations; /* by offset */
    size_t relocation_count, relocation_capacity;
};

struct dwarf_entry {
    size_t offset;
    uint64_t tag;
    const char *name, *linkage_name;
    size_t type, specification; /* offsets of entries; 0: none */
    size_t parent;              /* index; itself at the top */
    uint64_t bytes, extent, member_offset;
    bool has_bytes, has_extent, has_member_offset, is_bit_field;
    const struct dwarf_symbol *symbol;
};

struct dwarf {
    struct dwarf_section section;
    struct dwarf_entry *rows; /* by offset */
    size_t count, capacity;
};

/* The first compilation unit of the text, which is the only one that NVRTC writes; false where it
 * is missing or not understood. To be freed in both cases; strings are borrowed from it, symbols
 * from the text. */
bool dwarf_read(const char *ptx, struct dwarf *dwarf);
void dwarf_free(struct dwarf *dwarf);
/* The entry at that offset, or NULL. */
const struct dwarf_entry *dwarf_find_entry(const struct dwarf *entries, size_t offset);
/* The entry's next child after `last` (NULL: the first), or NULL. */
const struct dwarf_entry *dwarf_next_child(const struct dwarf *entries,
                                           const struct dwarf_entry *entry,
                                           const struct dwarf_entry *last);

#endif
