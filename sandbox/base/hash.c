/* SHA-256 through libmd, which every Debian system carries for dpkg. */
#include "sandbox/base/hash.h"

#include <sha2.h>
#include <string.h>

struct sha256 hash_parts(const struct hash_part *parts, size_t count) {
    SHA2_CTX context;
    SHA256Init(&context);
    for (size_t i = 0; i < count; i++) {
        unsigned char length[8];
        for (unsigned byte = 0; byte < 8; byte++)
            length[byte] = (unsigned char)((uint64_t)parts[i].length >> (8 * byte));
        SHA256Update(&context, length, sizeof length);
        SHA256Update(&context, parts[i].data, parts[i].length);
    }
    struct sha256 hash;
    SHA256Final(hash.bytes, &context);
    return hash;
}

struct sha256 hash_bytes(const void *data, size_t length) {
    SHA2_CTX context;
    SHA256Init(&context);
    SHA256Update(&context, data, length);
    struct sha256 hash;
    SHA256Final(hash.bytes, &context);
    return hash;
}

void hash_hex(const struct sha256 *hash, char hex[65]) {
    static const char digits[] = "0123456789abcdef";
    for (unsigned i = 0; i < 32; i++) {
        hex[2 * i] = digits[hash->bytes[i] >> 4];
        hex[2 * i + 1] = digits[hash->bytes[i] & 15];
    }
    hex[64] = '\0';
}

uint64_t hash_word(const struct sha256 *hash, unsigned index) {
    uint64_t word = 0;
    for (unsigned i = 0; i < 8; i++)
        word |= (uint64_t)hash->bytes[8 * index + i] << (8 * i);
    return word;
}
