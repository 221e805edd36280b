/* PTX as nvcc compresses it: LZ4 blocks, and zstd frames, which are its default since CUDA 13.
 *
 * It is unpacked here, in the program's own process, so that the card's worker, which has findings
 * to keep, reads plain text only. LZ4 is a page of code; zstd is libzstd's, opened where a program
 * needs it. Nothing is read or written outside of what the lengths allow, whatever the bytes are.
 */
#include "sandbox/runtime/unpack.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_MATCH = 4, LENGTH_GOES_ON = 15, TEXT_MAX = 64 << 20 };

/* A length of four bits goes on in bytes while they are 255. False where the block ends in it. */
static bool read_length(const unsigned char **at, const unsigned char *end, size_t *length) {
    unsigned char more = 255;
    if (*length != LENGTH_GOES_ON)
        return true;
    while (more == 255) {
        if (*at == end)
            return false;
        more = *(*at)++;
        *length += more;
    }
    return true;
}

/* A block is a list of: one byte with two lengths, bytes to take as they are, and, but for the last
 * one, how far back the next bytes stand, which may overlap with what they make. */
bool unpack_lz4(const unsigned char *from, size_t length, unsigned char *to, size_t bytes) {
    const unsigned char *at = from, *end = from + length;
    size_t made = 0;
    while (at < end) {
        size_t literals = *at >> 4, match = *at & 15;
        at++;
        if (!read_length(&at, end, &literals) || literals > (size_t)(end - at) ||
            literals > bytes - made)
            return false;
        memcpy(to + made, at, literals);
        made += literals;
        at += literals;
        if (at == end)
            break;
        if (end - at < 2)
            return false;
        size_t back = at[0] | (size_t)at[1] << 8;
        at += 2;
        if (!read_length(&at, end, &match) || back == 0 || back > made ||
            match + LEAST_MATCH > bytes - made)
            return false;
        for (size_t left = match + LEAST_MATCH; left; left--, made++)
            to[made] = to[made - back];
    }
    return made == bytes;
}

typedef size_t zstd_decompress(void *to, size_t capacity, const void *from, size_t length);

static zstd_decompress *find_zstd(void) {
    void *library = dlopen("libzstd.so.1", RTLD_NOW | RTLD_LOCAL);
    void *symbol = library ? dlsym(library, "ZSTD_decompress") : NULL;
    zstd_decompress *function;
    memcpy(&function, &symbol, sizeof symbol);
    return function;
}

static bool unpack(const struct fatbin_text *text, unsigned char *to, const char **trouble) {
    size_t bytes = (size_t)text->text_bytes;
    if (text->format != FATBIN_ZSTD)
        return text->format == FATBIN_LZ4 && unpack_lz4(text->bytes, text->length, to, bytes);
    zstd_decompress *decompress = find_zstd();
    if (!decompress)
        *trouble = "is compressed with zstd, and libzstd.so.1 is not on this machine: install it "
                   "(libzstd1), or build the program with `warpgrade nvcc`";
    return decompress && decompress(to, bytes, text->bytes, text->length) == bytes;
}

char *unpack_text(const struct fatbin_text *text, size_t *length, const char **trouble) {
    bool is_plain = text->format == FATBIN_PLAIN;
    *trouble = "is damaged";
    *length = is_plain ? text->length : (size_t)text->text_bytes;
    char *made = *length && *length <= TEXT_MAX ? malloc(*length) : NULL;
    if (!made)
        return NULL;
    if (is_plain) {
        memcpy(made, text->bytes, *length);
    } else if (!unpack(text, (unsigned char *)made, trouble)) {
        free(made);
        return NULL;
    }
    while (*length && made[*length - 1] == '\0')
        --*length;
    return made;
}
