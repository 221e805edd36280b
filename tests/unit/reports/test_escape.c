/* Escaping: each row is hostile bytes, the function, and exactly what must come out. */
#include "reports/escape.h"
#include "reports/utf8.h"
#include "sandbox/base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void terminal_lines(struct text *out, const char *string, size_t length) {
    escape_terminal(out, string, length, false);
}

static void terminal_one_line(struct text *out, const char *string, size_t length) {
    escape_terminal(out, string, length, true);
}

struct row {
    const char *name;
    void (*escape)(struct text *out, const char *string, size_t length);
    const char *input;
    size_t length;
    const char *expected;
};

#define BAD   "\xef\xbf\xbd"
#define IN(s) s, sizeof(s) - 1
#define TERM  terminal_lines
#define TERM1 terminal_one_line
#define XML   escape_xml
#define HTML  escape_html
#define CSV   escape_csv
#define UTF8  escape_utf8
#define JSON  escape_json
#define MARK  escape_markdown

static const struct row rows[] = {
    /* terminal */
    {"plain text stays", TERM, IN("a[i] = b * c; // ok"), "a[i] = b * c; // ok"},
    {"Chinese stays", TERM, IN("\u77e9\u9635\u4e58\u6cd5"), "\u77e9\u9635\u4e58\u6cd5"},
    {"an ANSI sequence is shown", TERM, IN("\x1b[2J\x1b[31mred"), "\\x1b[2J\\x1b[31mred"},
    {"an OSC title is shown", TERM, IN("\x1b]0;pwned\x07"), "\\x1b]0;pwned\\x07"},
    {"C1 CSI in UTF-8 is shown", TERM,
     IN("\xc2\x9b"
        "31m"),
     "\\u009b31m"},
    {"C1 CSI as one byte is no character", TERM,
     IN("\x9b"
        "31m"),
     BAD "31m"},
    {"DEL and backspace", TERM, IN("a\x7f\b"), "a\\x7f\\x08"},
    {"carriage return cannot overwrite", TERM, IN("bad\rgood"), "bad\\x0dgood"},
    {"newline and tab stay", TERM, IN("a\n\tb"), "a\n\tb"},
    {"one line", TERM1, IN("a\n\tb"), "a\\n\tb"},
    {"NUL", TERM, IN("a\0b"), "a\\x00b"},
    {"bidi override", TERM, IN("x\u202e//\u2066y\u2069"), "x\\u202e//\\u2066y\\u2069"},
    {"bidi marks", TERM, IN("\u200e\u200f\u061c"), "\\u200e\\u200f\\u061c"},
    {"invisible characters", TERM, IN("a\u200bb\ufeffc\u2028d"), "a\\u200bb\\ufeffc\\u2028d"},
    {"tag characters", TERM, IN("\U000e0041"), "\\U000e0041"},
    {"bidi embeddings", TERM, IN("\u202a\u202b\u202c\u202d"), "\\u202a\\u202b\\u202c\\u202d"},
    {"bidi isolates", TERM, IN("\u2067\u2068"), "\\u2067\\u2068"},
    {"every C1 form of an OSC", TERM,
     IN("\xc2\x9d"
        "0;x\xc2\x9c"
        "\xc2\x85"
        ""),
     "\\u009d0;x\\u009c\\u0085"},
    {"fillers that look like a blank", TERM, IN("\u3164\u115f\uffa0"), "\\u3164\\u115f\\uffa0"},
    {"a message in variation selectors", TERM, IN("x\U000e0141"), "x\\U000e0141"},
    {"noncharacters", TERM, IN("\ufffe\ufdd0\U0010ffff"), "\\ufffe\\ufdd0\\U0010ffff"},
    {"an emoji with its selector stays", TERM, IN("\u2764\ufe0f"), "\u2764\ufe0f"},
    {"a joiner stays in a Persian word", TERM, IN("\u0645\u06cc\u200c\u062e\u0648"),
     "\u0645\u06cc\u200c\u062e\u0648"},
    {"a joiner stays in an emoji", TERM, IN("\U0001f469\u200d\U0001f4bb"),
     "\U0001f469\u200d\U0001f4bb"},
    {"no joiner in an identifier", TERM, IN("to\u200ctal to\u200dtal"),
     "to\\u200ctal to\\u200dtal"},
    {"no joiner at an end, no two", TERM, IN("\u200c\u77e9\u200d\u200d\u77e9\u200c"),
     "\\u200c\u77e9\\u200d\\u200d\u77e9\\u200c"},
    /* commands to CI runners */
    {"a workflow command", TERM, IN("::error file=a.cu::x"), "\\x3a:error file=a.cu::x"},
    {"a workflow command after words", TERM, IN("x ::set-output name=a::b"),
     "x \\x3a:set-output name=a::b"},
    {"a workflow command in capitals", TERM, IN("\n  ::Stop-Commands::t"),
     "\n  \\x3a:Stop-Commands::t"},
    {"a workflow command at the end", TERM, IN("::warning"), "\\x3a:warning"},
    {"the colon before does not help", TERM, IN(":::debug::"), ":\\x3a:debug::"},
    {"an old workflow command", TERM, IN("a ##[set-env name=x]y"), "a \\x23#[set-env name=x]y"},
    {"three hashes", TERM, IN("###[error]"), "#\\x23#[error]"},
    {"an Azure command", TERM, IN("##vso[task.setvariable]"), "\\x23#vso[task.setvariable]"},
    {"a TeamCity message", TERM, IN("##TeamCity[x]"), "\\x23#TeamCity[x]"},
    {"C++ names stay", TERM, IN("::sqrtf(x) std::error_code ::errors::a a##b##[ "),
     "::sqrtf(x) std::error_code ::errors::a a##b\\x23#[ "},
    {"commands in JSON", JSON, IN("\"##vso[x] ::error::y\""),
     "\"\\u0023#vso[x] \\u003A:error::y\""},
    {"commands in XML", XML, IN("::error::x"), "\\x3a:error::x"},
    {"commands in CSV", CSV, IN("##[error]"), "\"\\x23#[error]\""},
    {"commands in Markdown", MARK, IN("##[error]"), "\\x23\\#\\[error\\]"},
    /* JSON documents: nothing is lost */
    {"JSON hides, and readers find it again", JSON,
     IN("{\n  \"a\": \"\x7f\xc2\x9b"
        "\u202e\"\n}"),
     "{\n  \"a\": \"\\u007F\\u009B\\u202E\"\n}"},
    {"JSON above the first plane", JSON, IN("\"\U000e0041\""), "\"\\uDB40\\uDC41\""},
    {"JSON keeps what is no danger", JSON, IN("\"\u77e9\U0001f680\\n\""),
     "\"\u77e9\U0001f680\\n\""},
    /* broken UTF-8, one U+FFFD for each maximal part */
    {"a lone trail byte", UTF8,
     IN("a\x80"
        "b"),
     "a" BAD "b"},
    {"overlong slash", UTF8, IN("\xc0\xaf"), BAD BAD},
    {"overlong three bytes", UTF8, IN("\xe0\x80\xaf"), BAD BAD BAD},
    {"a surrogate", UTF8, IN("\xed\xa0\x80"), BAD BAD BAD},
    {"past the last plane", UTF8, IN("\xf4\x90\x80\x80"), BAD BAD BAD BAD},
    {"five-byte lead", UTF8, IN("\xf8\x88\x80\x80\x80"), BAD BAD BAD BAD BAD},
    {"truncated at the end", UTF8, IN("ok\xf0\x9f\x98"), "ok" BAD},
    {"truncated before ASCII", UTF8,
     IN("\xe2\x9c"
        "x"),
     BAD "x"},
    {"truncated before another lead", UTF8, IN("\xe2\x9c\xe2\x9c\x93"), BAD "\u2713"},
    {"0xff", UTF8, IN("\xff\xfe"), BAD BAD},
    {"the last character", UTF8, IN("\xf4\x8f\xbf\xbf"), "\xf4\x8f\xbf\xbf"},
    {"empty", UTF8, IN(""), ""},
    /* XML and HTML */
    {"XML markup is libxml2's", XML, IN("<a b=\"c\">&]]>"), "<a b=\"c\">&]]>"},
    {"XML forbids C0", XML, IN("\x01\x1b\b\f"), "\\x01\\x1b\\x08\\x0c"},
    {"XML forbids NUL", XML, IN("a\0b"), "a\\x00b"},
    {"XML forbids U+FFFE and U+FFFF", XML, IN("\ufffe\uffff"), "\\ufffe\\uffff"},
    {"XML allows tab and newline", XML, IN("\t\n"), "\t\n"},
    {"XML shows a carriage return, which readers drop", XML, IN("\r"), "\\x0d"},
    {"XML surrogate", XML, IN("\xed\xbf\xbf"), BAD BAD BAD},
    {"XML shows C1 and bidi", XML,
     IN("\xc2\x9b"
        "\u202e\u2066"),
     "\\u009b\\u202e\\u2066"},
    {"HTML script", HTML, IN("<script>alert('x')</script>"),
     "&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;"},
    {"HTML bidi and escape are shown", HTML, IN("\u202e\x1b"), "\\u202e\\x1b"},
    {"HTML NUL", HTML, IN("<\0"), "&lt;\\x00"},
    /* CSV */
    {"CSV plain", CSV, IN("dot.cu"), "\"dot.cu\""},
    {"CSV empty", CSV, IN(""), "\"\""},
    {"CSV quotes", CSV, IN("say \"hi\", you"), "\"say \"\"hi\"\", you\""},
    {"CSV =", CSV, IN("=cmd|' /C calc'!A0"), "\"'=cmd|' /C calc'!A0\""},
    {"CSV +", CSV, IN("+1+1"), "\"'+1+1\""},
    {"CSV -", CSV, IN("-2+3"), "\"'-2+3\""},
    {"CSV @", CSV, IN("@SUM(1)"), "\"'@SUM(1)\""},
    {"CSV tab", CSV, IN("\t=1"), "\"\\t=1\""},
    {"CSV carriage return", CSV, IN("\r=1"), "\"\\r=1\""},
    {"CSV newline forges no row", CSV, IN("a\r\n\"b\",100"), "\"a\\r\\n\"\"b\"\",100\""},
    {"CSV after spaces", CSV, IN("  =1"), "\"'  =1\""},
    {"CSV after wide spaces", CSV, IN("\u3000\u00a0=1"), "\"'\u3000\u00a0=1\""},
    {"CSV after a semicolon", CSV, IN("a;=1;b; @x;"), "\"a;'=1;b;' @x;\""},
    {"CSV after a semicolon and a quote", CSV, IN("a;\"=1"), "\"a;'\"\"=1\""},
    {"CSV full-width =", CSV, IN("\uff1d1"), "\"'\uff1d1\""},
    {"CSV full-width + - @", CSV, IN("\uff0b;\uff0d;\uff20"), "\"'\uff0b;'\uff0d;'\uff20\""},
    {"CSV small =", CSV, IN("\ufe661"), "\"'\ufe661\""},
    {"CSV = inside is harmless", CSV, IN("a=1"), "\"a=1\""},
    {"CSV only spaces", CSV, IN("   "), "\"   \""},
    {"CSV NUL and escape", CSV, IN("a\0\x1b"), "\"a\\x00\\x1b\""},
    {"CSV formula after NUL", CSV, IN("\0=1"), "\"\\x00=1\""},
    {"CSV formula after what is not seen", CSV, IN("\ufeff=1"), "\"\\ufeff=1\""},
    {"CSV bidi", CSV, IN("a\u202eb"), "\"a\\u202eb\""},
    {"CSV broken UTF-8 before a formula", CSV, IN("\xc0=1"), "\"" BAD "=1\""},
    /* Markdown */
    {"Markdown emphasis", MARK, IN("*a*_b_`c`"), "\\*a\\*\\_b\\_\\`c\\`"},
    {"Markdown link", MARK, IN("[x](http://e)"), "\\[x\\]\\(http\\://e\\)"},
    {"Markdown HTML", MARK, IN("<img src=x>"), "&lt;img src=x&gt;"},
    {"Markdown table", MARK, IN("a|b"), "a\\|b"},
    {"Markdown heading and list", MARK, IN("# - 1."), "\\# \\- 1\\."},
    {"Markdown mention", MARK, IN("@torvalds"), "@&#8203;torvalds"},
    {"Markdown NUL", MARK, IN("\0"), "\\x00"},
};

static void test_rows(void **state) {
    (void)state;
    for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
        struct text out = {0};
        rows[i].escape(&out, rows[i].input, rows[i].length);
        if (out.length != strlen(rows[i].expected) ||
            strcmp(text_string(&out), rows[i].expected) != 0)
            fail_msg("%s: got \"%s\", expected \"%s\"", rows[i].name, text_string(&out),
                     rows[i].expected);
        text_free(&out);
    }
}

static bool is_printable(const char *string, size_t length) {
    for (size_t i = 0; i < length;) {
        struct utf8_char c = utf8_decode(string + i, length - i);
        if (!c.valid || (c.code < 0x20 && c.code != '\t') || (c.code >= 0x7f && c.code < 0xa0))
            return false;
        i += c.length;
    }
    return true;
}

/* Whatever three bytes come: what goes out is valid UTF-8 without a control character. */
static void test_no_bytes_get_through(void **state) {
    (void)state;
    static const unsigned char bytes[] = {0x00, 0x07, 0x1b, '[',  0x7f, 0x80, 0x9b,
                                          0xa0, 0xbf, 0xc0, 0xc2, 0xe0, 0xe2, 0xed,
                                          0xef, 0xf0, 0xf4, 0xf5, 0xff, '\n'};
    size_t n = ARRAY_LENGTH(bytes);
    for (size_t i = 0; i < n * n * n; i++) {
        char input[3] = {(char)bytes[i % n], (char)bytes[i / n % n], (char)bytes[i / n / n]};
        struct text out = {0};
        terminal_one_line(&out, input, sizeof input);
        assert_true(is_printable(text_string(&out), out.length));
        text_free(&out);
    }
}

static void test_every_character_survives(void **state) {
    (void)state;
    for (uint32_t code = 0; code < 0x110000; code++) {
        char bytes[4];
        unsigned length = utf8_encode(code, bytes);
        struct utf8_char c = utf8_decode(bytes, length);
        bool surrogate = code >= 0xd800 && code <= 0xdfff;
        assert_int_equal(c.valid, !surrogate);
        if (!surrogate) {
            assert_int_equal(c.code, code);
            assert_int_equal(c.length, length);
        }
    }
}

static void test_columns(void **state) {
    (void)state;
    static const struct {
        const char *string;
        size_t columns;
    } strings[] = {{"", 0},           {"abc", 3},       {"\u77e9\u9635", 4},
                   {"e\u0301", 1},    {"\u2713 ok", 4}, {"\uff1d", 2},
                   {"\U0001f680", 2}, {"\u2192", 1},    {"\xff", 1}};
    for (size_t i = 0; i < ARRAY_LENGTH(strings); i++)
        assert_int_equal(utf8_columns(strings[i].string, strlen(strings[i].string)),
                         strings[i].columns);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_no_bytes_get_through),
        cmocka_unit_test(test_every_character_survives),
        cmocka_unit_test(test_columns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
