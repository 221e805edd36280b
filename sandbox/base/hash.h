/* SHA-256, for content addresses and for deriving seeds that no one can predict. */
#ifndef WARPGRADE_SANDBOX_BASE_HASH_H
#define WARPGRADE_SANDBOX_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

struct sha256 {
    unsigned char bytes[32];
};

struct hash_part {
    const void *data;
    size_t length;
};

/* Hashes the parts one after the other, each preceded by its length as 8 little-endian bytes, so
 * that ("ab", "c") and ("a", "bc") differ. */
struct sha256 hash_parts(const struct hash_part *parts, size_t count);
struct sha256 hash_bytes(const void *data, size_t length); /* plain SHA-256 of the bytes */
void hash_hex(const struct sha256 *hash, char hex[65]);
uint64_t hash_word(const struct sha256 *hash, unsigned index); /* index 0..3 */

#endif
