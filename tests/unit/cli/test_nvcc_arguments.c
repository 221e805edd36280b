/* What `warpgrade nvcc` makes of nvcc's arguments: given, and made, one line a case. */
#include "grader/cli/run/nvcc_arguments.h"

#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* Words are cut at "|". */
static void make(const char *given, unsigned version, const char *runtime,
                 struct nvcc_arguments *arguments, struct text *made) {
    const struct nvcc_setting setting = {.version = version, .runtime = runtime};
    char *words[32] = {NULL};
    size_t count = 0;
    cleanup_free char *copy = mem_strdup(given);
    char *rest = NULL;
    for (char *word = strtok_r(copy, "|", &rest); word; word = strtok_r(NULL, "|", &rest))
        words[count++] = word;
    nvcc_arguments_make(&setting, words, arguments);
    for (size_t i = 1; i < arguments->count; i++)
        text_printf(made, "%s%s", i > 1 ? "|" : "", arguments->words[i]);
    assert_null(arguments->words[arguments->count]);
}

#define ALWAYS "-cudart|shared|--no-compress|-Xcompiler|-gdwarf-4,-g1|"

static void test_cases(void **state) {
    (void)state;
    static const struct {
        const char *given, *made;
    } cases[] = {
        {"a.cu", ALWAYS "a.cu|-arch=compute_80|-lineinfo"},
        {"-o|my program|my file.cu", ALWAYS "-o|my program|my file.cu|-arch=compute_80|-lineinfo"},
        {"-arch=sm_90|a.cu", ALWAYS "a.cu|-arch=compute_90|-lineinfo"},
        {"-arch|sm_86|-c|a.cu", ALWAYS "-c|a.cu|-arch=compute_86|-lineinfo"},
        {"--gpu-architecture=compute_75|a.cu", ALWAYS "a.cu|-arch=compute_75|-lineinfo"},
        {"-arch=compute_80|-code=sm_80,sm_86|a.cu", ALWAYS "a.cu|-arch=compute_80|-lineinfo"},
        {"-arch=sm_90a|a.cu", ALWAYS "a.cu|-arch=compute_90a|-lineinfo"},
        {"-arch=native|a.cu", ALWAYS "a.cu|-arch=compute_80|-lineinfo"},
        {"-arch=all-major|a.cu", ALWAYS "a.cu|-arch=compute_80|-lineinfo"},
        /* of many, the newest that the card can run */
        {"-gencode|arch=compute_75,code=sm_75|-gencode|arch=compute_86,code=\"sm_86,compute_86\"|"
         "-gencode=arch=compute_120,code=sm_120|a.cu",
         ALWAYS "a.cu|-arch=compute_86|-lineinfo"},
        {"--generate-code=arch=compute_100,code=[compute_100,sm_100]|a.cu",
         ALWAYS "a.cu|-arch=compute_100|-lineinfo"},
        {"-gencode|arch=compute_120,code=sm_120|-gencode|arch=compute_100,code=sm_100|a.cu",
         ALWAYS "a.cu|-arch=compute_100|-lineinfo"},
        /* the runtime */
        {"-cudart|static|a.cu", ALWAYS "a.cu|-arch=compute_80|-lineinfo"},
        {"--cudart=none|a.o|-lcudart_static|-ldl",
         ALWAYS "a.o|-lcudart|-ldl|-arch=compute_90|-lineinfo"},
        {"a.o|/usr/local/cuda/lib64/libcudart_static.a|-l|cudart_static",
         ALWAYS "a.o|-lcudart|-lcudart|-arch=compute_90|-lineinfo"},
        /* debugging, link-time optimisation, compression */
        {"-G|a.cu", ALWAYS "-G|a.cu|-arch=compute_80"},
        {"-lineinfo|-dlto|-dc|a.cu", ALWAYS "-lineinfo|-dc|a.cu|-arch=compute_80"},
        {"-compress-mode=size|a.cu", ALWAYS "a.cu|-arch=compute_80|-lineinfo"},
        {"-rdc=true|-arch=sm_80|a.cu|b.cu",
         ALWAYS "-rdc=true|a.cu|b.cu|-arch=compute_80|-lineinfo"},
        {"-dlink|a.o|b.o|-o|d.o", ALWAYS "-dlink|a.o|b.o|-o|d.o|-arch=sm_90|-lineinfo"},
        /* what belongs to another option */
        {"-Xcompiler|-arch=sm_10|-Xlinker|-cudart|-o|-G|-x|cu|a.txt",
         ALWAYS "-Xcompiler|-arch=sm_10|-Xlinker|-cudart|-o|-G|-x|cu|a.txt|-arch=compute_90|"
                "-lineinfo"},
        {"-std=c++17|-MD|-MF|a.d|-ccbin|clang++|-c|a.cu",
         ALWAYS "-std=c++17|-MD|-MF|a.d|-ccbin|clang++|-c|a.cu|-arch=compute_80|-lineinfo"},
        /* left alone */
        {"--version", "--version"},
        {"-cubin|-arch=sm_80|a.cu", "-cubin|-arch=sm_80|a.cu"},
        {"-ptx|-arch=sm_80|-cudart|static|a.cu", "-ptx|-arch=sm_80|-cudart|static|a.cu"},
        {"-M|a.cu", "-M|a.cu"},
        /* -o takes what looks like another option */
        {"-o|--version|a.cu", ALWAYS "-o|--version|a.cu|-arch=compute_80|-lineinfo"},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        struct nvcc_arguments arguments;
        cleanup_text struct text made = {0};
        make(cases[i].given, 13, NULL, &arguments, &made);
        assert_string_equal(text_string(&made), cases[i].made);
        assert_int_equal(arguments.note.length, 0);
        nvcc_arguments_free(&arguments);
    }
}

static void test_old_architectures(void **state) {
    (void)state;
    static const struct {
        const char *given;
        unsigned version;
        const char *made, *note;
    } cases[] = {
        {"-arch=sm_35|a.cu", 13, "-arch=compute_75", "capability 3.5 is older"},
        {"-arch=sm_35|a.cu", 0, "-arch=compute_75", "for 7.5"},
        {"-arch=sm_60|a.cu", 12, "-arch=compute_60", NULL},
        {"-gencode|arch=compute_20,code=sm_21|a.cu", 12, "-arch=compute_50", "2.0"},
        {"-gencode|arch=compute_35,code=sm_35|-gencode|arch=compute_80,code=sm_80|a.cu", 13,
         "-arch=compute_80", NULL},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        struct nvcc_arguments arguments;
        cleanup_text struct text made = {0};
        make(cases[i].given, cases[i].version, NULL, &arguments, &made);
        assert_non_null(strstr(text_string(&made), cases[i].made));
        if (cases[i].note)
            assert_non_null(strstr(text_string(&arguments.note), cases[i].note));
        else
            assert_int_equal(arguments.note.length, 0);
        nvcc_arguments_free(&arguments);
    }
}

static void test_runtime(void **state) {
    (void)state;
    static const struct {
        const char *given, *runtime, *made;
    } cases[] = {
        {"a.cu", "/opt/my tools",
         "-cudart|shared|-L/opt/my tools|-Xlinker|-rpath|-Xlinker|/opt/my "
         "tools|--no-compress|-Xcompiler|-gdwarf-4,-g1|a.cu"},
        {"-c|a.cu", "/opt", "-cudart|shared|-L/opt|--no-compress|-Xcompiler|-gdwarf-4,-g1|-c|a.cu"},
        {"a.cu", "/a,b", "-cudart|shared|-L/a,b|--no-compress|-Xcompiler|-gdwarf-4,-g1|a.cu"},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        struct nvcc_arguments arguments;
        cleanup_text struct text made = {0};
        make(cases[i].given, 13, cases[i].runtime, &arguments, &made);
        made.data[strlen(cases[i].made)] = '\0';
        assert_string_equal(text_string(&made), cases[i].made);
        nvcc_arguments_free(&arguments);
    }
}

/* Files of options, which may name others; and themselves. */
static void test_files(void **state) {
    (void)state;
    char first[] = "/tmp/nvcc-options-XXXXXX", second[] = "/tmp/nvcc-options-XXXXXX";
    int first_fd = mkstemp(first), second_fd = mkstemp(second);
    assert_true(first_fd >= 0 && second_fd >= 0);
    cleanup_free char *content = mem_printf("-arch=sm_86 \"-DA=a b\"\n--options-file %s\n", second);
    cleanup_free char *other =
        mem_printf("-DB=c\\ d '-DC=\"'\n--options-file=%s -cudart=static", first);
    cleanup_free char *given = mem_printf("--options-file|%s|a.cu", first);
    assert_true(write(first_fd, content, strlen(content)) > 0);
    assert_true(write(second_fd, other, strlen(other)) > 0);
    close(first_fd);
    close(second_fd);
    struct nvcc_arguments arguments;
    cleanup_text struct text made = {0};
    make(given, 13, NULL, &arguments, &made);
    assert_non_null(strstr(text_string(&made), ALWAYS "-DA=a b|"));
    assert_non_null(strstr(text_string(&made), "|-DB=c d|-DC=\"|"));
    assert_non_null(strstr(text_string(&made), "|a.cu|-arch=compute_86|-lineinfo"));
    nvcc_arguments_free(&arguments);
    text_clear(&made);
    unlink(first);
    unlink(second);
    make(given, 13, NULL, &arguments, &made); /* nvcc says what is wrong with it */
    assert_non_null(strstr(text_string(&made), "--options-file|/tmp/nvcc-options-"));
    nvcc_arguments_free(&arguments);
}

/* How many words are an option for `run`, and how they are passed on. */
static void test_before_a_program(void **state) {
    (void)state;
    static const struct {
        const char *word, *next;
        size_t count;
    } cases[] = {
        {"-std=c++20", "a.cu", 1},
        {"--std", "c++20", 2},
        {"-std", NULL, 0},
        {"-O3", "a.cu", 1},
        {"-O", "3", 2},
        {"-lm", "a.cu", 1},
        {"-l", "m", 2},
        {"-lineinfo", "a.cu", 1},
        {"--use_fast_math", "a.cu", 1},
        {"-arch", "sm_80", 2},
        {"--arch", "compute_80", 0}, /* `run`'s own */
        {"--arch=compute_80", "a.cu", 0},
        {"-Xcompiler", "-fopenmp", 2},
        {"-D", "N=1", 0},
        {"-Ifolder", "a.cu", 0},
        {"--device", "h100", 0},
        {"-ptx", "a.cu", 0}, /* makes no program */
        {"-c", "a.cu", 0},
        {"-", "a.cu", 0},
        {"a.cu", "b.cu", 0},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        char *words[] = {(char *)cases[i].word, (char *)cases[i].next, NULL};
        if (nvcc_arguments_option(words) != cases[i].count)
            fail_msg("%s: %zu", cases[i].word, nvcc_arguments_option(words));
    }
    char *given[] = {"-std=c++20", "-arch=sm_50", "-G",   "-gencode", "arch=compute_70,code=sm_70",
                     "-lineinfo",  "-cudart",     "none", "-lm",      NULL};
    char *plain[] = {"-O3", NULL};
    const struct nvcc_setting setting = {.version = 13};
    struct nvcc_arguments arguments;
    char architecture[32];
    nvcc_arguments_options(&setting, given, &arguments, architecture);
    assert_string_equal(architecture, "compute_75");
    assert_true(arguments.debugs);
    assert_non_null(strstr(text_string(&arguments.note), "compute capability 7.0 is older"));
    assert_int_equal(arguments.count, 2);
    assert_string_equal(arguments.words[0], "-std=c++20");
    assert_string_equal(arguments.words[1], "-lm");
    nvcc_arguments_free(&arguments);
    nvcc_arguments_options(&setting, plain, &arguments, architecture);
    assert_string_equal(architecture, "");
    assert_false(arguments.debugs);
    assert_int_equal(arguments.count, 1);
    nvcc_arguments_free(&arguments);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_cases),
                                       cmocka_unit_test(test_old_architectures),
                                       cmocka_unit_test(test_runtime), cmocka_unit_test(test_files),
                                       cmocka_unit_test(test_before_a_program)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
