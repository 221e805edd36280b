/* Decoding UTF-8 that may not be UTF-8, and measuring it in terminal columns.
 *
 * The decoder follows table 3-7 of the Unicode standard: overlong forms, surrogates and anything
 * above U+10FFFF never decode. The widths come from EastAsianWidth.txt (classes W and F, with
 * unassigned gaps closed) and the marks that student code and messages can meet; the C library's
 * wcwidth() is not used because it answers for the process's locale, and a report must not look
 * different where no UTF-8 locale is set. */
#include "reports/utf8.h"

#include "sandbox/base/memory.h"

static const struct utf8_char bad_byte = {.code = 0xfffd, .length = 1, .valid = false};

/* Bytes that follow the lead byte, and the range of the first of them. */
static unsigned lead_byte(unsigned char lead, unsigned char *low, unsigned char *high) {
    *low = 0x80;
    *high = 0xbf;
    if (lead >= 0xc2 && lead <= 0xdf)
        return 1;
    if (lead >= 0xe0 && lead <= 0xef) {
        if (lead == 0xe0)
            *low = 0xa0; /* below: overlong */
        if (lead == 0xed)
            *high = 0x9f; /* above: surrogates */
        return 2;
    }
    if (lead >= 0xf0 && lead <= 0xf4) {
        if (lead == 0xf0)
            *low = 0x90; /* below: overlong */
        if (lead == 0xf4)
            *high = 0x8f; /* above: past U+10FFFF */
        return 3;
    }
    return 0;
}

struct utf8_char utf8_decode(const char *string, size_t length) {
    const unsigned char *bytes = (const unsigned char *)string;
    if (bytes[0] < 0x80)
        return (struct utf8_char){.code = bytes[0], .length = 1, .valid = true};
    unsigned char low, high;
    unsigned more = lead_byte(bytes[0], &low, &high);
    if (!more)
        return bad_byte;
    uint32_t code = bytes[0] & (0x3fu >> more);
    for (unsigned i = 1; i <= more; i++) {
        if (i >= length || bytes[i] < low || bytes[i] > high)
            return (struct utf8_char){.code = 0xfffd, .length = i, .valid = false};
        code = code << 6 | (bytes[i] & 0x3fu);
        low = 0x80;
        high = 0xbf;
    }
    return (struct utf8_char){.code = code, .length = more + 1, .valid = true};
}

unsigned utf8_encode(uint32_t code, char bytes[4]) {
    if (code < 0x80) {
        bytes[0] = (char)code;
        return 1;
    }
    unsigned more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    static const unsigned char marks[] = {0, 0xc0, 0xe0, 0xf0};
    for (unsigned i = more; i > 0; i--) {
        bytes[i] = (char)(0x80 | (code & 0x3f));
        code >>= 6;
    }
    bytes[0] = (char)(marks[more] | code);
    return more + 1;
}

struct utf8_range {
    uint32_t first, last;
};

static const struct utf8_range wide[] = {
    {0x1100, 0x115f},   {0x231a, 0x231b},   {0x2329, 0x232a},   {0x23e9, 0x23ec},
    {0x23f0, 0x23f0},   {0x23f3, 0x23f3},   {0x25fd, 0x25fe},   {0x2614, 0x2615},
    {0x2648, 0x2653},   {0x267f, 0x267f},   {0x2693, 0x2693},   {0x26a1, 0x26a1},
    {0x26aa, 0x26ab},   {0x26bd, 0x26be},   {0x26c4, 0x26c5},   {0x26ce, 0x26ce},
    {0x26d4, 0x26d4},   {0x26ea, 0x26ea},   {0x26f2, 0x26f3},   {0x26f5, 0x26f5},
    {0x26fa, 0x26fa},   {0x26fd, 0x26fd},   {0x2705, 0x2705},   {0x270a, 0x270b},
    {0x2728, 0x2728},   {0x274c, 0x274c},   {0x274e, 0x274e},   {0x2753, 0x2755},
    {0x2757, 0x2757},   {0x2795, 0x2797},   {0x27b0, 0x27b0},   {0x27bf, 0x27bf},
    {0x2b1b, 0x2b1c},   {0x2b50, 0x2b50},   {0x2b55, 0x2b55},   {0x2e80, 0x303e},
    {0x3041, 0x3247},   {0x3250, 0x4dbf},   {0x4e00, 0xa4c6},   {0xa960, 0xa97c},
    {0xac00, 0xd7a3},   {0xf900, 0xfad9},   {0xfe10, 0xfe19},   {0xfe30, 0xfe6b},
    {0xff01, 0xff60},   {0xffe0, 0xffe6},   {0x16fe0, 0x1b2fb}, {0x1f004, 0x1f004},
    {0x1f0cf, 0x1f0cf}, {0x1f18e, 0x1f18e}, {0x1f191, 0x1f19a}, {0x1f200, 0x1f320},
    {0x1f32d, 0x1f335}, {0x1f337, 0x1f37c}, {0x1f37e, 0x1f393}, {0x1f3a0, 0x1f3ca},
    {0x1f3cf, 0x1f3d3}, {0x1f3e0, 0x1f3f0}, {0x1f3f4, 0x1f3f4}, {0x1f3f8, 0x1f43e},
    {0x1f440, 0x1f440}, {0x1f442, 0x1f4fc}, {0x1f4ff, 0x1f53d}, {0x1f54b, 0x1f54e},
    {0x1f550, 0x1f567}, {0x1f57a, 0x1f57a}, {0x1f595, 0x1f596}, {0x1f5a4, 0x1f5a4},
    {0x1f5fb, 0x1f64f}, {0x1f680, 0x1f6c5}, {0x1f6cc, 0x1f6cc}, {0x1f6d0, 0x1f6d2},
    {0x1f6d5, 0x1f6df}, {0x1f6eb, 0x1f6ec}, {0x1f6f4, 0x1f6fc}, {0x1f7e0, 0x1f7f0},
    {0x1f90c, 0x1f93a}, {0x1f93c, 0x1f945}, {0x1f947, 0x1f9ff}, {0x1fa70, 0x1faf6},
    {0x20000, 0x3fffd},
};

static const struct utf8_range combining[] = {
    {0x0300, 0x036f}, {0x0483, 0x0489},   {0x0591, 0x05bd},   {0x05bf, 0x05bf}, {0x05c1, 0x05c2},
    {0x05c4, 0x05c5}, {0x05c7, 0x05c7},   {0x0610, 0x061a},   {0x064b, 0x065f}, {0x0670, 0x0670},
    {0x06d6, 0x06dc}, {0x06df, 0x06e4},   {0x0900, 0x0902},   {0x093c, 0x093c}, {0x0941, 0x0948},
    {0x094d, 0x094d}, {0x0e31, 0x0e31},   {0x0e34, 0x0e3a},   {0x0e47, 0x0e4e}, {0x1160, 0x11ff},
    {0x1ab0, 0x1aff}, {0x1dc0, 0x1dff},   {0x200b, 0x200f},   {0x202a, 0x202e}, {0x2060, 0x206f},
    {0x20d0, 0x20f0}, {0x302a, 0x302d},   {0x3099, 0x309a},   {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f},
    {0xfeff, 0xfeff}, {0xe0001, 0xe007f}, {0xe0100, 0xe01ef},
};

static bool in_ranges(uint32_t code, const struct utf8_range *ranges, size_t count) {
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (code > ranges[middle].last)
            low = middle + 1;
        else if (code < ranges[middle].first)
            high = middle;
        else
            return true;
    }
    return false;
}

unsigned utf8_width(uint32_t code) {
    if (code < 0x300)
        return 1;
    if (in_ranges(code, combining, ARRAY_LENGTH(combining)))
        return 0;
    return in_ranges(code, wide, ARRAY_LENGTH(wide)) ? 2 : 1;
}

size_t utf8_columns(const char *string, size_t length) {
    size_t columns = 0;
    for (size_t i = 0; i < length;) {
        struct utf8_char character = utf8_decode(string + i, length - i);
        columns += utf8_width(character.code);
        i += character.length;
    }
    return columns;
}
