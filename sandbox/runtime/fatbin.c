/* A fat binary is a container: a head of 16 bytes and entries; an entry is a head and a body:
 *
 *     container  0  4  0xba55ed50        entry   0  2  kind: 1 PTX, 2 machine code
 *                4  2  version: 1                4  4  bytes of this head
 *                6  2  bytes of this head        8  8  bytes of the body
 *                8  8  bytes of the entries     16  4  bytes of the body without what fills it up,
 * where it is compressed 28  4  architecture: 80 40  8  flags: 0x2000 LZ4, 0x8000 zstd 56  8  bytes
 * of the text, where it is compressed
 *
 * Everything is little-endian. The offsets are those that the toolkit's own files show
 * (`fatbinary`, `cuobjdump -lptx`). */
#include "sandbox/runtime/fatbin.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum {
    CONTAINER_HEAD = 16,
    ENTRY_HEAD = 64,
    KIND_PTX = 1,
    FLAG_LZ4 = 0x2000,
    FLAG_ZSTD = 0x8000,
};
#define CONTAINER_MAGIC 0xba55ed50u

static uint64_t number(const unsigned char *at, size_t bytes) {
    uint64_t value = 0;
    memcpy(&value, at, bytes);
    return value;
}

size_t fatbin_length(const void *bytes) {
    const unsigned char *at = bytes;
    uint64_t head = number(at + 6, 2), entries = number(at + 8, 8);
    if (number(at, 4) != CONTAINER_MAGIC || head < CONTAINER_HEAD || entries > PTRDIFF_MAX / 2)
        return 0;
    return (size_t)(head + entries);
}

struct search {
    enum fatbin_state state;
    struct fatbin_text text;
};

/* A text ends with zeros, which fill the body up; a compressed one says where it ends. */
static void take_text(struct search *search, const unsigned char *entry, const unsigned char *body,
                      uint64_t length) {
    uint64_t flags = number(entry + 40, 8), packed = number(entry + 16, 4);
    struct fatbin_text text = {.bytes = body,
                               .length = (size_t)length,
                               .format = flags & FLAG_ZSTD  ? FATBIN_ZSTD
                                         : flags & FLAG_LZ4 ? FATBIN_LZ4
                                                            : FATBIN_PLAIN,
                               .architecture = number(entry + 28, 4)};
    if (search->state == FATBIN_PTX && text.architecture <= search->text.architecture)
        return;
    if (text.format != FATBIN_PLAIN) {
        text.length = packed && packed < length ? (size_t)packed : (size_t)length;
        text.text_bytes = number(entry + 56, 8);
    }
    while (text.format == FATBIN_PLAIN && text.length && body[text.length - 1] == '\0')
        text.length--;
    *search = (struct search){FATBIN_PTX, text};
}

static bool read_container(const unsigned char *at, size_t length, struct search *search) {
    size_t left = length - (size_t)number(at + 6, 2);
    for (at += number(at + 6, 2); left;) {
        if (left < ENTRY_HEAD)
            return false;
        uint64_t head = number(at + 4, 4), body = number(at + 8, 8);
        if (head < ENTRY_HEAD || head > left || body > left - head)
            return false;
        if (number(at, 2) == KIND_PTX)
            take_text(search, at, at + head, body);
        else if (search->state == FATBIN_EMPTY)
            search->state = FATBIN_NO_PTX;
        at += head + body;
        left -= (size_t)(head + body);
    }
    return true;
}

enum fatbin_state fatbin_find(const void *bytes, size_t length, struct fatbin_text *text) {
    struct search search = {.state = FATBIN_EMPTY};
    if (length < CONTAINER_HEAD || !fatbin_length(bytes) || fatbin_length(bytes) > length ||
        !read_container(bytes, fatbin_length(bytes), &search))
        return FATBIN_DAMAGED;
    *text = search.text;
    return search.state;
}
