/* Three bytes are four characters; the last group is filled up with '='. */
#include "reports/stored/base64.h"

#include "sandbox/base/memory.h"

#include <stdint.h>
#include <string.h>

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

char *base64_encode(const void *data, size_t length) {
    const unsigned char *bytes = data;
    char *text = mem_alloc((length + 2) / 3 * 4 + 1);
    char *next = text;
    for (size_t i = 0; i < length; i += 3) {
        size_t count = length - i < 3 ? length - i : 3;
        uint32_t group = (uint32_t)bytes[i] << 16;
        group |= count > 1 ? (uint32_t)bytes[i + 1] << 8 : 0;
        group |= count > 2 ? bytes[i + 2] : 0;
        for (size_t j = 0; j < 4; j++)
            *next++ = j <= count ? digits[group >> (18 - 6 * j) & 63] : '=';
    }
    *next = '\0';
    return text;
}

bool base64_decode(const char *text, size_t text_length, char **data, size_t *length) {
    size_t padding = 0;
    while (padding < 2 && padding < text_length && text[text_length - 1 - padding] == '=')
        padding++;
    if (text_length % 4 != 0)
        return false;
    cleanup_free char *bytes = mem_alloc(text_length / 4 * 3 + 1);
    size_t used = 0;
    uint32_t group = 0;
    for (size_t i = 0; i < text_length; i++) {
        const char *digit = memchr(digits, text[i], 64);
        if (!digit && i < text_length - padding)
            return false;
        group = group << 6 | (digit ? (uint32_t)(digit - digits) : 0);
        for (int shift = 16; i % 4 == 3 && shift >= 0; shift -= 8)
            bytes[used++] = (char)(group >> shift & 255);
    }
    *length = used - padding;
    bytes[*length] = '\0';
    *data = steal_pointer(&bytes);
    return true;
}
