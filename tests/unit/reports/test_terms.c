/* One Chinese word for each term: reports/terms.tsv, in every sentence that is written in both
 * languages side by side. A term may be missing where the sentence has the word of a longer one. */
#include "reports/advice.h"
#include "reports/explain.h"
#include "reports/message.h"
#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"
#include "tests/source_folder.h"

#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MAX_TERMS = 128 };

struct term {
    char *english, *chinese;
};

static struct term terms[MAX_TERMS];
static size_t term_count, wrong;
static char *table;

static int read_terms(void **state) {
    (void)state;
    size_t length;
    struct error error = {0};
    if (file_read(WARPGRADE_SOURCE_DIR "/reports/terms.tsv", 1 << 16, &table, &length, &error) !=
        STATUS_OK)
        return 1;
    for (char *line = table, *next; *line && term_count < MAX_TERMS; line = next) {
        char *end = strchrnul(line, '\n');
        next = *end ? end + 1 : end;
        *end = '\0';
        char *tab = strchr(line, '\t');
        if (*line == '#' || !tab)
            continue;
        *tab = '\0';
        tab[1 + strcspn(tab + 1, "\t")] = '\0'; /* what it means follows */
        terms[term_count++] = (struct term){line, tab + 1};
    }
    return term_count < 10;
}

static int free_terms(void **state) {
    (void)state;
    free(table);
    return 0;
}

static bool is_word(char c) {
    return isalnum((unsigned char)c) || c == '_' || c == '-' || c == '`';
}

/* Whole words, outside of code and names. */
static bool has_word(const char *text, const char *word) {
    size_t length = strlen(word);
    for (const char *at = text; (at = strcasestr(at, word)) != NULL; at++)
        if ((at == text || !is_word(at[-1])) && !is_word(at[length]))
            return true;
    return false;
}

static void check(const char *where, const char *english, const char *chinese) {
    for (size_t i = 0; i < term_count; i++) {
        const char *wanted = terms[i].chinese;
        size_t own = strcspn(wanted, "("); /* the second time a word may stand without it */
        cleanup_free char *bare = mem_strndup(wanted, own && wanted[own] ? own - 1 : own);
        if (has_word(english, terms[i].english) && !strstr(chinese, bare)) {
            fprintf(stderr, "%s: \"%s\" is %s, and \"%s\" has no such word: \"%s\"\n", where,
                    terms[i].english, wanted, english, chinese);
            wrong++;
        }
    }
}

static void sentences_use_the_words_of_the_table(void **state) {
    (void)state;
    static const struct {
        const char *id, *english, *chinese;
    } rows[] = {
#define MESSAGE(id, en, zh) {#id, en, zh},
#include "reports/messages.def"
#undef MESSAGE
#define STRING(id, en, zh) {#id, en, zh},
#include "reports/html/strings.def"
#undef STRING
#define CLASS_STRING(id, en, zh) {#id, en, zh},
#include "reports/class/class_strings.def"
#undef CLASS_STRING
#define TRANSLATION(en, zh) {"translate.def", en, zh},
#include "reports/translate.def"
#undef TRANSLATION
#define CAUSE(ID, name, en, zh) {name, en, zh},
#include "grader/exercise/cause.def"
#undef CAUSE
#define STAGE(id, en, zh) {#id, en, zh},
#include "reports/stage.def"
#undef STAGE
    };
    wrong = 0;
    for (size_t i = 0; i < ARRAY_LENGTH(rows); i++)
        check(rows[i].id, rows[i].english, rows[i].chinese);
    for (unsigned i = 1; i < FIX_COUNT; i++)
        check("hazard_fix.def", message_fix(LANGUAGE_EN, (enum hazard_fix)i),
              message_fix(LANGUAGE_ZH, (enum hazard_fix)i));
    for (unsigned i = 0; i < WASTE_COUNT; i++)
        check("advice.c", advice_fix((enum waste)i, LANGUAGE_EN),
              advice_fix((enum waste)i, LANGUAGE_ZH));
    for (unsigned i = 0; i < HAZARD_COUNT; i++) {
        cleanup_text struct text en = {0}, zh = {0};
        explain_fix(LANGUAGE_EN, FIX_OF_PAGE, (enum hazard_kind)i, &en);
        explain_fix(LANGUAGE_ZH, FIX_OF_PAGE, (enum hazard_kind)i, &zh);
        check(hazard_infos[i].name, text_string(&en), text_string(&zh));
    }
    assert_int_equal(wrong, 0);
}

/* Words that stood for a term before the table chose another. */
static void no_other_word_is_used(void **state) {
    (void)state;
    static const char *const others[] = {"瓦片", "优化内核", "线程阻塞", "栅格", "共享存储器"};
    static const char *const rows[] = {
#define MESSAGE(id, en, zh) zh,
#include "reports/messages.def"
#undef MESSAGE
#define STRING(id, en, zh) zh,
#include "reports/html/strings.def"
#undef STRING
#define CLASS_STRING(id, en, zh) zh,
#include "reports/class/class_strings.def"
#undef CLASS_STRING
#define TRANSLATION(en, zh) zh,
#include "reports/translate.def"
#undef TRANSLATION
    };
    struct explain_page page;
    for (size_t i = 0; i < ARRAY_LENGTH(others); i++) {
        for (size_t j = 0; j < ARRAY_LENGTH(rows); j++)
            if (strstr(rows[j], others[i]))
                fail_msg("%s in \"%s\"", others[i], rows[j]);
        for (size_t j = 0; explain_at(j, &page); j++)
            if (explain_translate(&page, LANGUAGE_ZH) && strstr(page.head, others[i]))
                fail_msg("%s in the page of %s", others[i], page.id);
    }
}

/* English that stands in a Chinese sentence: names, units, and words in parentheses beside theirs.
 */
static bool is_known_english(const char *word, size_t length) {
    static const char *const known[] = {
        "GPU",     "CUDA",     "NVIDIA", "MHz",      "MiB",    "UTF",       "ptxas",   "trap",
        "assert",  "blockIdx", "int",    "inf",      "NaN",    "warpgrade", "explain", "PTX",
        "ASCII",   "KiB",      "Volta",  "mbarrier", "f16",    "bf16",      "f32",     "f64",
        "malloc",  "INDEX",    "lang",   "device",   "global", "void",      "sum",     "zip",
        "Jupyter", "NUL",      "YAML",   "libyaml",  "float",  "NVRTC"};
    for (size_t i = 0; i < ARRAY_LENGTH(known); i++)
        if (strlen(known[i]) == length && strncmp(known[i], word, length) == 0)
            return true;
    return length < 3;
}

/* Words of a Chinese sentence that nobody has translated; what is between backticks is code, and in
 * parentheses an English word may stand beside its Chinese one. */
static void no_english_is_left(void **state) {
    (void)state;
    static const struct {
        const char *id, *chinese;
    } rows[] = {
#define MESSAGE(id, en, zh) {#id, zh},
#include "reports/messages.def"
#undef MESSAGE
#define STRING(id, en, zh) {#id, zh},
#include "reports/html/strings.def"
#undef STRING
#define TRANSLATION(en, zh) {en, zh},
#include "reports/translate.def"
#undef TRANSLATION
#define CAUSE(ID, name, en, zh) {name, zh},
#include "grader/exercise/cause.def"
#undef CAUSE
    };
    wrong = 0;
    for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
        bool code = false, beside = false;
        for (const char *at = rows[i].chinese; *at; at++) {
            code ^= *at == '`';
            beside = *at == '(' || (beside && *at != ')');
            if (*at == '%') /* a place of the format */
                at += strspn(at + 1, "%0123456789.$*hlz+-");
            else if (isalpha((unsigned char)*at) && !code && !beside) {
                size_t length = 1;
                while (isalnum((unsigned char)at[length]))
                    length++;
                if (!is_known_english(at, length)) {
                    fprintf(stderr, "%s: \"%.*s\" in \"%s\"\n", rows[i].id, (int)length, at,
                            rows[i].chinese);
                    wrong++;
                }
                at += length - 1;
            }
        }
    }
    assert_int_equal(wrong, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sentences_use_the_words_of_the_table),
        cmocka_unit_test(no_other_word_is_used),
        cmocka_unit_test(no_english_is_left),
    };
    return cmocka_run_group_tests(tests, read_terms, free_terms);
}
