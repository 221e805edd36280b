/* See hostile_string.h. */
#include "tests/golden/hostile_string.h"

#include "sandbox/base/memory.h"

uint32_t hostile_random(uint32_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

char *hostile_string(uint32_t *state) {
    static const char spice[] =
        "\x1b[31m\x9b\xc2\x9b<>&\"'`|\\\r\n\t=+-@,;:%\xe2\x80\xae\xed\xa0\x80"
        "\xff\xf4\x90]]>--\x01\x7f\xef\xbf\xbe";
    static const char *const words[] = {
        "::error::",
        "\n::stop-commands::x",
        "##[error]",
        "##vso[task.complete]",
        "\u202e",
        "\u2066",
        "a\u200bb",
        "=cmd|' /C calc'!A0",
        ";=1+1",
        "\uff1d1",
        "\r\n100,yes",
        "\x1b]0;x\x07",
        "\xc2\x9d"
        "0;",
        "\xe2\x80",
        "]]>",
        "</failure>",
        "@everyone",
        "[x](javascript:alert)",
        "![x](//evil.example/x.png)",
        "<img src=x onerror=alert(1)>",
        "https://evil.example/",
        "{0}{",
        "%0A::error file=x::y",
        "```\n# forged\n",
        "|a|b|\n|-|-|",
    };
    if (hostile_random(state) % 4 == 0) {
        const char *first = words[hostile_random(state) % ARRAY_LENGTH(words)];
        return mem_printf("%s%s", first, words[hostile_random(state) % ARRAY_LENGTH(words)]);
    }
    size_t length = hostile_random(state) % 40;
    char *string = mem_alloc(length + 1);
    for (size_t i = 0; i < length; i++) {
        char byte = hostile_random(state) % 2 ? spice[hostile_random(state) % (sizeof spice - 1)]
                                              : (char)(hostile_random(state) & 0xff);
        string[i] = byte ? byte : '?';
    }
    string[length] = '\0';
    return string;
}
