/* Runs kernels with known bugs, and kernels without: run_hazards FILE.cu|FILE.ptx ...
 *
 * A file says in its comments how it is launched and what must be found:
 *
 *     // sim --grid 1 --block 64 --arg 'f32*64=iota' --arg i32=64
 *     ... a[i + 1] ...                          // HAZARD out-of-bounds error
 *
 * Each HAZARD comment must be met by a report of that kind, line and severity ("any" for either),
 * and nothing else may be reported; a file without one must be clean. `// expect KIND SEVERITY` is
 * for hazards without a line, `// says TEXT` for words that a message must hold, `// advises TEXT`
 * for words of a sentence that says what to do (`// advises never TEXT`: that none may hold),
 * `// shows TEXT` for what a picture of a hazard has to show (scene_text() below),
 * `// prints TEXT` for a line that printf must write, `// both builds` for a kernel that is
 * compiled once more with --device-debug, `// maybe KIND` for a kind that may come too.
 * A kernel named `check` is run afterwards by one thread on what the first one left, and must not
 * trap.
 *
 * Every kernel is run with one, two and three host threads, and must give the same bytes and report
 * the same hazards with the same threads; so that it does not do so by chance, the stack holds
 * other bytes before each run.
 */
#include "grader/cli/sim_argument.h"
#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"
#include "sandbox/simgpu/launch/simgpu.h"
#include "tests/support/compiler.h"
#include "tests/support/precompiled.h"
#include "tests/support/same_results.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_WORDS = 64, MAX_EXPECTED = 32 };

struct expected {
    enum hazard_kind kind;
    unsigned line; /* 0: any */
    int severity;  /* -1: any */
    bool met;
};

struct hazard_case {
    const char *path;
    char *source;
    size_t length;
    struct text words[MAX_WORDS];
    unsigned word_count;
    struct expected expected[MAX_EXPECTED];
    unsigned expected_count;
    bool maybe[HAZARD_COUNT];
    const char *says[MAX_EXPECTED], *advises[MAX_EXPECTED], *prints[MAX_EXPECTED];
    const char *shows; /* NULL: not said */
    unsigned says_count, advises_count, prints_count;
    bool both_builds, debug;
    unsigned failed;
};

struct case_launch {
    struct engine_launch engine;
    struct sim_argument arguments[ENGINE_MAX_ARGUMENTS];
    struct engine_argument engine_arguments[ENGINE_MAX_ARGUMENTS];
    struct build_request build;
    const char *defines[8];
    const char *kernel;
};

static bool complain(struct hazard_case *test, unsigned line, const char *what, const char *more) {
    fprintf(stderr, "%s:%u: %s%s %s\n", test->path, line, test->debug ? "--device-debug: " : "",
            what, more);
    test->failed++;
    return false;
}

/* --- reading the comments */

static void split_words(struct hazard_case *test, const char *at) {
    while (*at && test->word_count < MAX_WORDS) {
        while (*at == ' ')
            at++;
        if (!*at)
            return;
        struct text *word = &test->words[test->word_count++];
        char quote = 0;
        for (; *at && (quote || *at != ' '); at++) {
            if (quote ? *at == quote : *at == '\'')
                quote = quote ? 0 : *at;
            else
                text_append_char(word, *at);
        }
    }
}

static void expect(struct hazard_case *test, const char *text, unsigned line, bool with_line) {
    char kind[32] = "", severity[16] = "any";
    int read = sscanf(text, "%31s %15s", kind, severity);
    struct expected *added = &test->expected[test->expected_count];
    if (read < 1 || test->expected_count == MAX_EXPECTED || !hazard_from_name(kind, &added->kind)) {
        complain(test, line, "unknown hazard", kind);
        return;
    }
    added->line = with_line ? line : 0;
    added->severity = strcmp(severity, "error") == 0     ? SEVERITY_ERROR
                      : strcmp(severity, "warning") == 0 ? SEVERITY_WARNING
                                                         : -1;
    test->expected_count++;
}

static void read_comment(struct hazard_case *test, char *line, unsigned number) {
    char *comment = strstr(line, "// ");
    if (!comment)
        return;
    comment += 3;
    enum hazard_kind kind;
    if (strncmp(comment, "sim ", 4) == 0)
        split_words(test, comment + 4);
    else if (strcmp(comment, "both builds") == 0)
        test->both_builds = true;
    else if (strncmp(comment, "HAZARD ", 7) == 0)
        expect(test, comment + 7, number, true);
    else if (strncmp(comment, "expect ", 7) == 0)
        expect(test, comment + 7, number, false);
    else if (strncmp(comment, "maybe ", 6) == 0 && hazard_from_name(comment + 6, &kind))
        test->maybe[kind] = true;
    else if (strncmp(comment, "says ", 5) == 0 && test->says_count < MAX_EXPECTED)
        test->says[test->says_count++] = comment + 5;
    else if (strncmp(comment, "advises ", 8) == 0 && test->advises_count < MAX_EXPECTED)
        test->advises[test->advises_count++] = comment + 8;
    else if (strncmp(comment, "shows ", 6) == 0)
        test->shows = comment + 6;
    else if (strncmp(comment, "prints ", 7) == 0 && test->prints_count < MAX_EXPECTED)
        test->prints[test->prints_count++] = comment + 7;
}

static void read_comments(struct hazard_case *test, char *copy) {
    unsigned number = 1;
    for (char *line = copy, *end; line; line = end, number++) {
        end = strchr(line, '\n');
        if (end)
            *end++ = '\0';
        read_comment(test, line, number);
    }
}

/* --- launching */

static struct dim3 extents(const char *text) {
    struct dim3 size = {1, 1, 1};
    sscanf(text, "%u,%u,%u", &size.x, &size.y, &size.z);
    return size;
}

static bool read_option(struct hazard_case *test, const char *name, const char *value,
                        struct case_launch *launch) {
    struct error error = {0};
    struct engine_launch *engine = &launch->engine;
    if (strcmp(name, "--grid") == 0)
        engine->grid = extents(value);
    else if (strcmp(name, "--block") == 0)
        engine->block = extents(value);
    else if (strcmp(name, "--cluster") == 0)
        engine->cluster = extents(value);
    else if (strcmp(name, "--shared") == 0)
        engine->shared_bytes = strtoull(value, NULL, 10);
    else if (strcmp(name, "--budget") == 0)
        engine->budget = strtoull(value, NULL, 10);
    else if (strcmp(name, "--seed") == 0) /* of the schedule; 0: blocks in their order */
        engine->seed = strtoull(value, NULL, 10);
    else if (strcmp(name, "--kernel") == 0)
        launch->kernel = value;
    else if (strcmp(name, "--arch") == 0)
        launch->build.architecture = value;
    else if (strcmp(name, "--define") == 0)
        launch->defines[launch->build.define_count++] = value;
    else if (strcmp(name, "--arg") == 0) {
        unsigned index = (unsigned)engine->argument_count++;
        if (sim_argument_parse(value, index, 7, &launch->arguments[index], &error) != STATUS_OK)
            return complain(test, 1, error.message, value);
    } else {
        return complain(test, 1, "unknown option", name);
    }
    return true;
}

static bool read_launch(struct hazard_case *test, struct case_launch *launch) {
    launch->engine.grid = launch->engine.block = (struct dim3){1, 1, 1};
    launch->build.defines = launch->defines;
    for (unsigned i = 0; i < test->word_count; i++) {
        const char *name = text_string(&test->words[i]);
        if (strcmp(name, "--device-debug") == 0) {
            launch->build.device_debug = true;
            continue;
        }
        if (strcmp(name, "--plain") == 0) {
            launch->engine.is_plain = true;
            continue;
        }
        if (++i == test->word_count)
            return complain(test, 1, "a value is missing after", name);
        if (!read_option(test, name, text_string(&test->words[i]), launch))
            return false;
    }
    size_t length = 0;
    for (size_t i = 0; i < launch->engine.argument_count; i++) {
        launch->engine_arguments[i] = launch->arguments[i].engine;
        launch->engine_arguments[i].data_offset = length;
        length += (launch->arguments[i].byte_count + 255) / 256 * 256;
    }
    launch->engine.arguments = launch->engine_arguments;
    launch->engine.data_length = length;
    return true;
}

static void fill_data(const struct case_launch *launch, unsigned char *data) {
    for (size_t i = 0; i < launch->engine.argument_count; i++)
        if (launch->arguments[i].byte_count)
            memcpy(data + launch->engine_arguments[i].data_offset, launch->arguments[i].bytes,
                   launch->arguments[i].byte_count);
}

static bool compile(struct hazard_case *test, struct case_launch *launch,
                    struct compiler_process *compiler, struct build_answer *answer) {
    struct error error = {0};
    launch->build.file_name = file_base_name(test->path);
    launch->build.source = test->source;
    launch->build.source_length = test->length;
    /* A pass less each: launches say their arguments themselves, and only messages show what the
     * elements of a variable are called. */
    launch->build.no_signature = true;
    launch->build.no_shapes = test->says_count == 0;
    if (compiler_run(compiler, &launch->build, answer, &error) != STATUS_OK)
        return complain(test, 1, error.message, "");
    bool compiled = answer->outcome == OUTCOME_COMPILED;
    for (size_t i = 0; i < answer->diagnostic_count && !compiled; i++)
        complain(test, answer->diagnostics[i].line, answer->diagnostics[i].text, "");
    return compiled || complain(test, 1, "does not compile", answer->trouble);
}

/* --- judging */

static bool is_expected(struct hazard_case *test, const struct hazard *hazard) {
    bool found = test->maybe[hazard->kind];
    for (unsigned i = 0; i < test->expected_count; i++) {
        struct expected *wanted = &test->expected[i];
        if (wanted->kind == hazard->kind && (!wanted->line || wanted->line == hazard->line) &&
            (wanted->severity < 0 || wanted->severity == (int)hazard->severity))
            found = wanted->met = true;
    }
    return found;
}

static unsigned count_lanes(const lane_mask masks[ENGINE_BLOCK_WARPS]) {
    unsigned count = 0;
    for (unsigned i = 0; i < ENGINE_BLOCK_WARPS; i++)
        count += (unsigned)__builtin_popcount(masks[i]);
    return count;
}

/* "write beside read", "element 70 of 70 read", "32 of 64 wait, 32 elsewhere" */
static char *scene_text(const struct hazard_scene *scene) {
    static const char *const names[SCENE_ACCESS_COUNT] = {"unknown", "read", "write", "atomic"};
    if (scene->block_threads)
        return mem_printf("%u of %u wait, %u elsewhere", count_lanes(scene->waiting),
                          scene->block_threads, count_lanes(scene->elsewhere));
    if (scene->elements)
        return mem_printf("element %lld of %llu %s", (long long)scene->element,
                          (unsigned long long)scene->elements, names[scene->access]);
    return mem_printf("%s beside %s", names[scene->access], names[scene->other_access]);
}

static void judge_scene(struct hazard_case *test, const struct engine_result *result) {
    bool shown = !test->shows;
    for (size_t j = 0; j < result->hazard_count && !shown; j++) {
        cleanup_free char *text = scene_text(&result->hazards[j].scene);
        shown = strcmp(text, test->shows) == 0;
    }
    if (!shown)
        complain(test, 1, "no hazard shows", test->shows);
}

static void judge_texts(struct hazard_case *test, const struct engine_result *result) {
    judge_scene(test, result);
    for (unsigned i = 0; i < test->says_count; i++) {
        bool said = false;
        for (size_t j = 0; j < result->hazard_count; j++)
            said |= strstr(result->hazards[j].message, test->says[i]) != NULL ||
                    strcmp(result->hazards[j].variable, test->says[i]) == 0;
        if (!said)
            complain(test, 1, "no message says", test->says[i]);
    }
    for (unsigned i = 0; i < test->advises_count; i++) {
        const char *wanted = test->advises[i];
        bool never = strncmp(wanted, "never ", 6) == 0, advised = false;
        for (size_t j = 0; j < result->hazard_count; j++) {
            const char *fix = hazard_fixes[result->hazards[j].fix];
            advised |= strstr(fix ? fix : "the page", wanted + (never ? 6 : 0)) != NULL;
        }
        if (advised == never)
            complain(test, 1, never ? "a fix is" : "no fix is", wanted);
    }
    const char *at = text_string(&result->printed);
    for (unsigned i = 0; i < test->prints_count; i++) {
        size_t length = strlen(test->prints[i]);
        if (strncmp(at, test->prints[i], length) != 0 || at[length] != '\n') {
            complain(test, 1, "printed is not", test->prints[i]);
            return;
        }
        at += length + 1;
    }
}

static void judge(struct hazard_case *test, const struct engine_result *result) {
    if (result->end != ENGINE_COMPLETED)
        complain(test, result->line, "refused:", result->message);
    for (size_t i = 0; i < result->hazard_count; i++) {
        const struct hazard *hazard = &result->hazards[i];
        if (is_expected(test, hazard))
            continue;
        char what[64];
        snprintf(what, sizeof what, "unexpected %s %s:", hazard_infos[hazard->kind].name,
                 hazard->severity == SEVERITY_ERROR ? "error" : "warning");
        complain(test, hazard->line, what, hazard->message);
    }
    for (unsigned i = 0; i < test->expected_count; i++)
        if (!test->expected[i].met)
            complain(test, test->expected[i].line,
                     "not found:", hazard_infos[test->expected[i].kind].name);
    judge_texts(test, result);
}

static void run_check(struct hazard_case *test, struct sim_module *module,
                      const struct engine_launch *launch) {
    struct engine_launch check = *launch;
    check.kernel = "check";
    check.grid = check.block = (struct dim3){1, 1, 1};
    check.cluster = (struct dim3){0};
    check.shared_bytes = 0;
    check.budget = 0;
    struct engine_argument arguments[ENGINE_MAX_ARGUMENTS];
    for (size_t i = 0; i < launch->argument_count; i++) {
        arguments[i] = launch->arguments[i];
        arguments[i].uninitialized = false;
    }
    check.arguments = arguments;
    struct engine_result result;
    sim_launch(module, &check, &result);
    if (result.end != ENGINE_COMPLETED)
        complain(test, result.line, "check is refused:", result.message);
    for (size_t i = 0; i < result.hazard_count; i++)
        complain(test, result.hazards[i].line, "check:", result.hazards[i].message);
    engine_result_free(&result);
}

/* What a run reads of its stack before it has written it shows in the result: once all buffers look
 * alike, once no two do. */
static void __attribute__((noinline)) fill_stack(unsigned step) {
    volatile unsigned char bytes[1 << 16];
    for (unsigned i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)(i * step >> 3);
}

static void run_launches(struct hazard_case *test, struct case_launch *launch, const char *ptx,
                         size_t ptx_length) {
    struct engine_launch *engine = &launch->engine;
    engine->kernel = launch->kernel;
    engine->file_name = file_base_name(test->path);
    cleanup_free unsigned char *data = mem_zalloc(engine->data_length + 1);
    cleanup_free unsigned char *again = mem_zalloc(engine->data_length + 1);
    struct engine_result result, other;
    fill_data(launch, data);
    engine->data = data;
    engine->threads = 1;
    fill_stack(0);
    struct sim_module *module = sim_prepare(ptx, ptx_length);
    sim_launch(module, engine, &result);
    judge(test, &result);
    engine->data = again;
    for (engine->threads = 2; engine->threads <= 3; engine->threads++) {
        fill_data(launch, again);
        fill_stack(37 * (engine->threads - 1));
        sim_launch(module, engine, &other);
        const char *difference = results_difference(&result, &other);
        if (!difference && memcmp(data, again, engine->data_length) != 0)
            difference = "a buffer";
        if (difference)
            complain(test, 1,
                     engine->threads == 2 ? "two host threads change" : "three host threads change",
                     difference);
        engine_result_free(&other);
    }
    fill_data(launch, again);
    engine->no_checks = true;
    if (result.hazard_count == 0) {
        sim_launch(module, engine, &other);
        if (memcmp(data, again, engine->data_length) != 0)
            complain(test, 1, "without checks it gives another result", "");
        engine_result_free(&other);
    }
    engine->no_checks = false;
    engine->data = data;
    if (memmem(ptx, ptx_length, "entry check", 11) || memmem(ptx, ptx_length, "_Z5check", 8))
        run_check(test, module, engine);
    sim_module_free(module);
    engine_result_free(&result);
}

/* Returns how much was wrong. */
static unsigned run_build(const char *path, bool debug, struct compiler_process *compiler,
                          bool *both_builds) {
    struct hazard_case test = {.path = path, .debug = debug};
    struct case_launch launch = {.kernel = "k"};
    struct build_answer answer = {0};
    struct error error = {0};
    if (file_read(path, 1 << 20, &test.source, &test.length, &error) != STATUS_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    cleanup_free char *copy = mem_dup(test.source, test.length + 1);
    read_comments(&test, copy);
    bool is_ptx = strlen(path) > 4 && strcmp(path + strlen(path) - 4, ".ptx") == 0;
    *both_builds = test.both_builds;
    if (read_launch(&test, &launch)) {
        launch.build.device_debug |= debug;
        if (is_ptx)
            run_launches(&test, &launch, test.source, test.length);
        else if (compile(&test, &launch, compiler, &answer))
            run_launches(&test, &launch, text_string(&answer.output), answer.output.length);
    }
    for (size_t i = 0; i < launch.engine.argument_count; i++)
        free(launch.arguments[i].bytes);
    for (unsigned i = 0; i < test.word_count; i++)
        text_free(&test.words[i]);
    build_answer_free(&answer);
    free(test.source);
    return test.failed;
}

int main(int argc, char **argv) {
    struct compiler_process compiler;
    struct error error = {0};
    precompiled_open();
    if (compiler_start(&compiler, &error) != STATUS_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    unsigned failed = 0;
    for (int i = 1; i < argc; i++) {
        bool both_builds = false;
        unsigned wrong = run_build(argv[i], false, &compiler, &both_builds);
        if (both_builds)
            wrong += run_build(argv[i], true, &compiler, &both_builds);
        failed += wrong != 0;
    }
    compiler_end(&compiler);
    precompiled_close();
    printf("%d kernels, %u wrong\n", argc - 1, failed);
    return failed || argc < 2 ? 1 : 0;
}
