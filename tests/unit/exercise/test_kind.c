/* Exercises with host code: what their YAML says, and where it is wrong. Each row writes a mistake
 * into a good file; @ marks where the error must point. */
#include "sandbox/base/text.h"
#include "tests/unit/exercise/sample.h"

#define HEAD "id: sample\ntitle: {en: A sample}\ntopics: [tests]\n"
#define TAIL                                                                                       \
    "reference: {launch: {grid: [2], block: [n]}}\n"                                               \
    "cases: {correctness: [{name: small, sizes: {n: 9}}]}\n"                                       \
    "scoring: {groups: {correctness: 40}}\n"                                                       \
    "mutants: [{file: mutants/bad.cu, description: It is bad, verdict: crash}]\n"
#define PARAMS                                                                                     \
    "params:\n"                                                                                    \
    "  - {name: x, type: f32, role: in, shape: [n]}\n"                                             \
    "  - {name: y, type: f32, role: out, shape: [n], tolerance: exact}\n"                          \
    "  - {name: code, type: i32, role: out, shape: [1], tolerance: exact, computed_by: host}\n"    \
    "  - {name: n, type: i32, role: size}\n"

static const char host[] = HEAD "kind: host\nfunction: solve\npointers: host\n" PARAMS TAIL;
static const char program[] = HEAD
    "kind: program\n"
    "program: {arguments: [\"-n{n}\", \"{output}\"], input: [n, x], output: [y, code]}\n" PARAMS
        TAIL;

static void loads_a_function(void **state) {
    (void)state;
    struct exercise *exercise = load_well(host);
    assert_int_equal(exercise->kind, EXERCISE_HOST);
    assert_true(exercise->host_pointers && exercise_has_host_code(exercise));
    assert_string_equal(exercise->kernel, "solve");
    assert_true(exercise->params[2].computed_by_host && !exercise->params[1].computed_by_host);
    assert_string_equal(expr_text(exercise->launch.grid[0]), "2");
    exercise_free(exercise);
}

static void loads_a_program(void **state) {
    (void)state;
    struct exercise *exercise = load_well(program);
    const struct exercise_program *found = &exercise->program;
    assert_int_equal(exercise->kind, EXERCISE_PROGRAM);
    assert_int_equal(found->argument_count, 2);
    assert_string_equal(found->arguments[0], "-n{n}");
    assert_true(found->input_count == 2 && found->inputs[0] == 3 && found->inputs[1] == 0);
    assert_true(found->output_count == 2 && found->outputs[1] == 2);
    exercise_free(exercise);
}

static const struct mistake {
    const char *good, *find, *replace, *message, *hint;
} mistakes[] = {
    {host, "kind: host", "kind: @hosts", "expected kernel, host or program", "host"},
    {host, "pointers: host", "pointers: @managed", "expected device or host", NULL},
    {host, "function: solve\n", "", "the key function is missing", "solve"},
    {host, "function: solve\n", "function: solve\nkernel: @solve\n", "kind host has no such key",
     NULL},
    {host, "reference: {launch: {grid: [2], block: [n]}}\n", "", "the key reference is missing",
     NULL},
    {host, "{launch: {grid: [2], block: [n]}}", "{kernel: r}", "the key launch is missing", NULL},
    {host, "kind: host\n", "", "the key kernel is missing", NULL},
    {host, "role: in,", "role: in, constant_memory: @true,", "only an exercise of kind kernel",
     NULL},
    {host, "computed_by: host", "computed_by: @cpu", "expected kernel or host", NULL},
    {program, "input: [n, x]", "input: [n, @z]", "z is no parameter", NULL},
    {program, "input: [n, x]", "input: [n, @y]", "y is of role out", NULL},
    {program, "output: [y, code]", "output: [@x]", "x is no parameter of role out", NULL},
    {program, "output: [y, code]", "output: [y]", "code is judged, and the program does not", NULL},
    {program, "\"-n{n}\"", "@\"{m}\"", "m is no parameter", NULL},
    {program, "\"-n{n}\"", "@\"{x}\"", "x is a buffer", NULL},
    {program, "\"-n{n}\"", "@\"{n\"", "{ without }", NULL},
    {program, "program: {", "function: @solve\nprogram: {", "kind program has no such key", NULL},
};

static char *with_mistake(const struct mistake *row, unsigned *line) {
    const char *at = strstr(row->good, row->find);
    assert_non_null(at);
    char *yaml = mem_printf("%.*s%s%s", (int)(at - row->good), row->good, row->replace,
                            at + strlen(row->find));
    char *mark = strchr(yaml, '@');
    *line = mark ? 1 : 0;
    for (const char *c = yaml; mark && c < mark; c++)
        *line += *c == '\n';
    if (mark)
        memmove(mark, mark + 1, strlen(mark));
    return yaml;
}

static void refuses_each_mistake_at_its_place(void **state) {
    (void)state;
    for (size_t i = 0; i < ARRAY_LENGTH(mistakes); i++) {
        unsigned line;
        cleanup_free char *yaml = with_mistake(&mistakes[i], &line);
        struct exercise *exercise;
        struct error error = {0};
        if (load(yaml, &exercise, &error) != STATUS_INVALID)
            fail_msg("accepted: %s", mistakes[i].replace);
        if (!strstr(error.message, mistakes[i].message))
            fail_msg("%s: message is: %s", mistakes[i].replace, error.message);
        if (mistakes[i].hint && !strstr(error.hint, mistakes[i].hint))
            fail_msg("%s: hint is: %s", mistakes[i].replace, error.hint);
        if (line && error.line != line)
            fail_msg("%s: at line %u, not %u: %s", mistakes[i].replace, error.line, line,
                     error.message);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loads_a_function),
        cmocka_unit_test(loads_a_program),
        cmocka_unit_test(refuses_each_mistake_at_its_place),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
