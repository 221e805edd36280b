/* Runs instruction tests: run_ptx [--cuda] FILE...
 *
 * Each test is wrapped into a small kernel and run with all lanes, with lanes that have branched
 * around it, and with a guard; results are compared bit for bit, and lanes that do not participate
 * must keep their values. With --cuda the same kernels run on the GPU of this machine: that is how
 * the expected values were proved. With --coverage (simulated) every row of isa.def must have been
 * executed by some test of the files given. */
#include "hardware.h"
#include "ptx_case.h"

#include "sandbox/base/memory.h"
#include "sandbox/simgpu/launch/simgpu.h"
#include "sandbox/simgpu/program/program.h"
#include "sandbox/simgpu/state/texture_image.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct run {
    bool cuda, coverage;
    const char *only;
    bool *covered; /* by row of isa.def */
    unsigned executed, failed;
};

static bool run_sim(const struct ptx_case *test, const struct text *ptx, uint64_t *in,
                    uint64_t *out, struct text *printed) {
    static uint64_t data[2 * CASE_WORDS];
    memcpy(data, in, CASE_WORDS * sizeof *in);
    memcpy(data + CASE_WORDS, out, CASE_WORDS * sizeof *out);
    struct engine_argument arguments[2] = {
        {.is_buffer = true, .type = ELEMENT_u64, .name = "in", .count = CASE_WORDS},
        {.is_buffer = true,
         .type = ELEMENT_u64,
         .name = "out",
         .count = CASE_WORDS,
         .data_offset = CASE_WORDS * 8},
    };
    struct engine_texture textures[CASE_TEXTURES];
    case_textures(textures);
    struct engine_launch launch = {.ptx = text_string(ptx),
                                   .ptx_length = ptx->length,
                                   .kernel = "t",
                                   .grid = {1, 1, 1},
                                   .block = {CASE_LANES, 1, 1},
                                   .arguments = arguments,
                                   .argument_count = 2,
                                   .data = data,
                                   .data_length = sizeof data,
                                   .budget = 10000000,
                                   .textures = textures,
                                   .texture_count = CASE_TEXTURES,
                                   .threads = 1};
    struct engine_result result;
    sim_run(&launch, &result);
    bool clean = result.end == ENGINE_COMPLETED && result.hazard_count == 0;
    if (!clean)
        fprintf(stderr, "%s:%u: %s: %s\n", test->file, test->line, test->name,
                result.hazard_count ? result.hazards[0].message : result.message);
    memcpy(out, data + CASE_WORDS, CASE_WORDS * sizeof *out);
    text_append(printed, text_string(&result.printed));
    engine_result_free(&result);
    return clean;
}

/* The rows of isa.def that the decoder chose for the kernel at hand. */
static void cover(const struct text *ptx, bool *covered) {
    struct ptx_module *module;
    struct program *program;
    const struct ptx_function *kernel;
    struct error error;
    if (ptx_parse(text_string(ptx), ptx->length, &module, &error) != STATUS_OK)
        return;
    if (ptx_find_kernel(module, "t", &kernel, &error) == STATUS_OK &&
        program_decode(module, kernel, "", 0, &program, &error) == STATUS_OK) {
        for (size_t pc = 0; pc < program->length; pc++) {
            const struct insn *insn = &program->code[pc];
            if (insn->form != FORM_NONE && insn->flow != FLOW_UNSUPPORTED)
                covered[insn->form] = true;
        }
        program_free(program);
    }
    ptx_module_free(module);
}

static void run_case(struct run *run, const struct ptx_case *test) {
    for (unsigned mode = 0; mode < MODE_COUNT; mode++) {
        if (!case_has_mode(test, mode) || (run->cuda && test->cuda_unguarded && mode == MODE_GUARD))
            continue;
        cleanup_text struct text ptx = {0};
        cleanup_text struct text printed = {0};
        uint64_t in[CASE_WORDS], out[CASE_WORDS];
        case_wrap(test, mode, &ptx);
        case_fill(test, in, out);
        if (run->coverage && mode == MODE_ALL)
            cover(&ptx, run->covered);
        run->executed++;
        bool ran = run->cuda ? hardware_run(text_string(&ptx), in, out, CASE_WORDS * sizeof *in,
                                            test->name)
                             : run_sim(test, &ptx, in, out, &printed);
        bool right = ran && case_compare(test, mode, out) == 0;
        if (!run->cuda && mode == MODE_ALL && right &&
            strcmp(text_string(&printed), text_string(&test->printed)) != 0) {
            fprintf(stderr, "%s:%u: %s prints\n%swhere it should print\n%s", test->file, test->line,
                    test->name, text_string(&printed), text_string(&test->printed));
            right = false;
        }
        run->failed += !right;
    }
}

static void check_coverage(struct run *run) {
    for (size_t i = FORM_NONE + 1; i < isa_form_count; i++)
        if (!run->covered[i]) {
            fprintf(stderr, "no test executes the row \"%s\" of isa.def\n", isa_forms[i].key);
            run->failed++;
        }
}

/* ---- on the metal ---------------------------------------------------------------------------- */

enum { PROCESSES = 8, SKIPPED = 77 };

struct counts {
    unsigned executed, failed;
};

/* Every PROCESSES-th test, in a process that has a context of its own. */
static int run_part(struct run *run, const struct case_list *list, size_t part, int to) {
    if (!hardware_open())
        return SKIPPED;
    for (size_t i = part; i < list->count; i += PROCESSES)
        if (!list->cases[i]->sim_only &&
            (!run->only || strcmp(run->only, list->cases[i]->name) == 0))
            run_case(run, list->cases[i]);
    struct counts counts = {run->executed, run->failed};
    return write(to, &counts, sizeof counts) == (ssize_t)sizeof counts ? 0 : 1;
}

/* Most of the time goes into the driver's compiler, which uses one processor: several processes,
 * which are made before any of them has touched the driver. False where there is no card; a process
 * that does not answer is a failure. */
static bool run_on_card(struct run *run, const struct case_list *list) {
    int answers[PROCESSES];
    pid_t children[PROCESSES];
    bool has_card = true;
    fflush(stdout);
    for (size_t i = 0; i < PROCESSES; i++) {
        int ends[2];
        children[i] = pipe(ends) == 0 ? fork() : -1;
        if (children[i] < 0) {
            perror("run_ptx");
            exit(2);
        }
        if (children[i] == 0)
            _exit(run_part(run, list, i, ends[1]));
        close(ends[1]);
        answers[i] = ends[0];
    }
    for (size_t i = 0; i < PROCESSES; i++) {
        struct counts counts = {0};
        int status = 0;
        bool answered = read(answers[i], &counts, sizeof counts) == (ssize_t)sizeof counts;
        waitpid(children[i], &status, 0);
        close(answers[i]);
        has_card &= !(WIFEXITED(status) && WEXITSTATUS(status) == SKIPPED);
        run->executed += counts.executed;
        run->failed += counts.failed + !answered;
    }
    return has_card;
}

int main(int argc, char **argv) {
    struct run run = {.covered = mem_calloc(isa_form_count, sizeof(bool))};
    struct case_list list = {0};
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--cuda") == 0)
            run.cuda = true;
        else if (strcmp(argv[i], "--coverage") == 0)
            run.coverage = true;
        else if (strncmp(argv[i], "--only=", 7) == 0)
            run.only = argv[i] + 7;
        else if (!cases_read(argv[i], &list))
            return 2;
    }
    if (run.cuda && !run_on_card(&run, &list)) {
        cases_free(&list);
        free(run.covered);
        return SKIPPED;
    }
    for (size_t i = 0; i < list.count && !run.cuda; i++)
        if (!run.only || strcmp(run.only, list.cases[i]->name) == 0)
            run_case(&run, list.cases[i]);
    if (run.coverage)
        check_coverage(&run);
    printf("%zu tests, %u runs, %u failed\n", list.count, run.executed, run.failed);
    cases_free(&list);
    free(run.covered);
    return run.failed || !run.executed ? 1 : 0;
}
