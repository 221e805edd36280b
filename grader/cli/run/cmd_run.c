/* `warpgrade run`: compiles and runs a whole CUDA program on the simulated GPU.
 *
 * The program's output is passed on byte for byte, as if it had run here; what was found goes to
 * standard error when it has ended. Its exit code is ours, but for a program in which hazards of
 * severity error were found: that ends with 1. */
#include "grader/cli/command.h"
#include "grader/cli/kernel_headers.h"
#include "grader/cli/run/interrupt.h"
#include "grader/cli/run/nvcc_arguments.h"
#include "grader/cli/run/program_check.h"
#include "grader/cli/run/program_files.h"

#include "grader/exercise/device.h"
#include "reports/report.h"
#include "reports/run.h"
#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"
#include "sandbox/build/build.h"
#include "sandbox/card/card.h"
#include "sandbox/card/card_files.h"
#include "sandbox/isolation/protection.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    MAX_FOLDERS = 16,
    MAX_DEFINES = 64,
    MAX_OPTIONS = 64,
    BUILD_SECONDS = 300,
    PROGRAM_MAX = 256 << 20
};

struct run_command {
    const char *file;
    char **arguments; /* ended by NULL */
    const char *device, *json, *architecture;
    const char *keep; /* a folder for what the program writes; NULL: none */
    const char *folders[MAX_FOLDERS], *defines[MAX_DEFINES];
    const char *options[MAX_OPTIONS + 1]; /* nvcc's own */
    size_t folder_count, define_count, option_count;
    double seconds;
    uint64_t memory_mib, seed, budget;
    bool no_checks, is_strict;
    bool on_card;
    struct cuda_card card;
    enum color_choice color;
    struct device_profile profile;
    char *text; /* of the file */
    size_t length;
    bool compiled; /* the file is a source */
    uint64_t output_mib;
    struct card_stage stage;
};

enum {
    OPTION_ENGINE = 256,
    OPTION_DEVICE,
    OPTION_JSON,
    OPTION_ARCH,
    OPTION_TIME,
    OPTION_MEMORY,
    OPTION_OUTPUT,
    OPTION_SEED,
    OPTION_BUDGET,
    OPTION_NO_CHECKS,
    OPTION_STRICT,
    OPTION_COLOR,
    OPTION_KEEP,
    OPTION_NVCC
};

static const struct argp_option options[] = {
    {"engine", OPTION_ENGINE, "sim|cuda", 0,
     "what the program runs on: sim, the default, is the simulated GPU with every check; cuda is "
     "the "
     "first card that CUDA_VISIBLE_DEVICES shows, which sees no race and no uninitialised read",
     0},
    {"device", OPTION_DEVICE, "ID|FILE", 0,
     "which card the simulated one is, and whose time is modelled; default: h100", 0},
    {"json", OPTION_JSON, "FILE", 0, "write what was found as JSON", 0},
    {"define", 'D', "NAME[=VALUE]", 0, "a macro for the compiler", 0},
    {"include", 'I', "DIR", 0, "a folder of headers; those beside the file are found without it",
     0},
    {"keep-files", OPTION_KEEP, "DIR", 0,
     "put the files there that the program writes in its folder, a copy of PROGRAM's; else they "
     "are "
     "named and not kept",
     0},
    {"arch", OPTION_ARCH, "compute_NN", 0, "what is compiled for; default: compute_80", 0},
    {"nvcc", OPTION_NVCC, "OPTION", 0,
     "an option of nvcc's, of a source; those that are most used stand as they are: -std=c++20, "
     "-O3, -lm, -arch=sm_80, -rdc=true, --use_fast_math, -Xcompiler -fopenmp",
     0},
    {"time-limit", OPTION_TIME, "S", 0, "seconds for the program and its kernels; default: 60", 0},
    {"memory-limit", OPTION_MEMORY, "MB", 0,
     "memory of the program, and of the simulated GPU, a quarter of which is device memory; "
     "default: 4096",
     0},
    {"output-limit", OPTION_OUTPUT, "MB", 0, "of what the program prints; default: 256", 0},
    {"seed", OPTION_SEED, "N", 0, "another order of blocks and warps; default: 0, the natural one",
     0},
    {"budget", OPTION_BUDGET, "N", 0, "thread instructions of a launch, at most", 0},
    {"strict", OPTION_STRICT, NULL, 0, "exit with 1 where there are only warnings, too", 0},
    {"no-checks", OPTION_NO_CHECKS, NULL, 0, "no hazards but the fatal ones", 0},
    {"color", OPTION_COLOR, "WHEN", 0, "auto, always or never", 0},
    {0}};

static const struct argp_child children[] = {COMMAND_JAIL_CHILD, {0}};

static void add(struct argp_state *state, const char **list, size_t *count, size_t max,
                const char *option, const char *text) {
    if (*count == max)
        argp_error(state, "%s can be given %zu times at most", option, max);
    else
        list[(*count)++] = text;
}

/* What follows the program is the program's. */
static void take_program(struct run_command *command, struct argp_state *state, char *argument) {
    command->file = argument;
    command->arguments = &state->argv[state->next];
    if (*command->arguments && strcmp(*command->arguments, "--") == 0)
        command->arguments++;
    state->next = state->argc;
}

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    struct run_command *command = state->input;
    switch (key) {
    case OPTION_ENGINE:
        if (strcmp(argument, "sim") != 0 && strcmp(argument, "cuda") != 0)
            argp_error(state, "--engine takes sim or cuda, not \"%s\"", argument);
        command->on_card = strcmp(argument, "cuda") == 0;
        return 0;
    case OPTION_DEVICE:
        command->device = argument;
        return 0;
    case OPTION_JSON:
        command->json = argument;
        return 0;
    case 'D':
        add(state, command->defines, &command->define_count, MAX_DEFINES, "-D", argument);
        return 0;
    case 'I':
        add(state, command->folders, &command->folder_count, MAX_FOLDERS, "-I", argument);
        return 0;
    case OPTION_ARCH:
        command->architecture = argument;
        return 0;
    case OPTION_NVCC:
        add(state, command->options, &command->option_count, MAX_OPTIONS, "--nvcc", argument);
        return 0;
    case OPTION_TIME:
        command->seconds = command_seconds_option(state, "--time-limit", argument);
        return 0;
    case OPTION_MEMORY:
        command->memory_mib = command_number_option(state, "--memory-limit", argument, 64, 1 << 20);
        return 0;
    case OPTION_OUTPUT:
        command->output_mib = command_number_option(state, "--output-limit", argument, 1, 1 << 20);
        return 0;
    case OPTION_SEED:
        command->seed = command_seed_option(state, argument);
        return 0;
    case OPTION_BUDGET:
        command->budget = command_number_option(state, "--budget", argument, 1, UINT64_MAX / 2);
        return 0;
    case OPTION_STRICT:
        command->is_strict = true;
        return 0;
    case OPTION_NO_CHECKS:
        command->no_checks = true;
        return 0;
    case OPTION_KEEP:
        command->keep = argument;
        return 0;
    case OPTION_COLOR:
        command->color = command_color_option(state, argument);
        return 0;
    case ARGP_KEY_ARG:
        take_program(command, state, argument);
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "which program?");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp parser = {
    options,
    parse_option,
    "[NVCC-OPTION...] PROGRAM.cu|PROGRAM [ARGUMENTS]",
    "Compiles and runs a whole CUDA program, host code included, on the simulated GPU with every "
    "check, or on a card. PROGRAM may also be one that `warpgrade nvcc` has built.\vExit status: "
    "the program's "
    "own; 1 where a hazard of "
    "severity error was found or a limit ended the program, 128 + N where signal N did, 2 usage or "
    "compile error, 3 this machine cannot compile or run it.",
    children,
    NULL,
    NULL};

/* Does the word take the next one? Of long names the beginning is enough. */
static bool takes_next(const char *word) {
    if (strcmp(word, "-D") == 0 || strcmp(word, "-I") == 0 || strcmp(word, "--jail") == 0)
        return true;
    for (const struct argp_option *option = options; option->name; option++)
        if (option->arg && strncmp(word, "--", 2) == 0 && word[2] && !strchr(word, '=') &&
            strncmp(option->name, word + 2, strlen(word + 2)) == 0)
            return true;
    return false;
}

/* The words with nvcc's options, which argp cannot read, as arguments of --nvcc. What follows the
 * program is left alone. */
static char **mark_nvcc_options(int argc, char **argv, int *count) {
    static char mark[] = "--nvcc";
    char **words = mem_calloc(2 * (size_t)argc + 1, sizeof *words);
    int at = 0;
    words[(*count)++] = argv[at++];
    while (at < argc && argv[at][0] == '-' && strcmp(argv[at], "--") != 0) {
        size_t of_nvcc = nvcc_arguments_option(argv + at);
        for (size_t i = 0; i < of_nvcc; i++) {
            words[(*count)++] = mark;
            words[(*count)++] = argv[at++];
        }
        if (of_nvcc)
            continue;
        if (takes_next(argv[at]) && at + 1 < argc)
            words[(*count)++] = argv[at++];
        words[(*count)++] = argv[at++];
    }
    while (at < argc)
        words[(*count)++] = argv[at++];
    return words;
}

/* ---- from a file to a program -----------------------------------------------------------------
 */

static bool is_program(const struct run_command *command) {
    return command->length >= 4 && memcmp(command->text, "\177ELF", 4) == 0;
}

/* Is what follows the program a source of it, as nvcc would take it? */
static bool has_more_sources(const struct run_command *command) {
    const char *next = command->arguments[0], *dot = next ? strrchr(next, '.') : NULL;
    static const char *const ends[] = {".cu", ".cpp", ".cc", ".cxx", ".c"};
    for (size_t i = 0; dot && i < ARRAY_LENGTH(ends); i++)
        if (strcmp(dot, ends[i]) == 0)
            return access(next, F_OK) == 0;
    return false;
}

static enum status tell_errors(const struct run_command *command, const struct build_result *build,
                               struct error *error) {
    bool color = command_color(command->color, STDERR_FILENO);
    cleanup_text struct text out = {0};
    for (size_t i = 0; i < build->diagnostic_count; i++)
        if (!build->compiled || build->diagnostics[i].severity == BUILD_ERROR)
            report_diagnostic_text(&build->diagnostics[i], command->file, command->text,
                                   command->length, LANGUAGE_EN, color, &out);
    fputs(text_string(&out), stderr);
    if (build->compiled)
        return STATUS_OK;
    error_set(error, STATUS_INVALID, "%s", build->message);
    const char *library = NULL, *advice = NULL;
    for (size_t i = 0; i < build->diagnostic_count && !library; i++) {
        library = program_check_message(build->diagnostics[i].text);
        if (!advice)
            advice = program_check_advice(build->diagnostics[i].text);
    }
    if (library)
        error_hint(error, "%s is not there: programs have the CUDA runtime alone.", library);
    else if (has_more_sources(command))
        error_hint(error,
                   "%s is the program's argument: `run` compiles one file. Build those of several "
                   "with `warpgrade nvcc -o program %s %s`, then `warpgrade run ./program`.",
                   command->arguments[0], command->file, command->arguments[0]);
    else
        error_hint(error, "%s", advice ? advice : build->hint);
    return STATUS_INVALID;
}

static enum status compile(struct run_command *command, const char *runtime, struct error *error) {
    struct kernel_headers headers = {0};
    struct nvcc_arguments own;
    struct build_toolchain toolchain;
    char architecture[32];
    build_toolchain_find(&toolchain, NULL);
    const struct nvcc_setting setting = {.version = toolchain.version_major};
    nvcc_arguments_options(&setting, (char *const *)command->options, &own, architecture);
    fputs(text_string(&own.note), stderr);
    enum status status =
        kernel_headers_read(command->file, command->text, command->folders, command->folder_count,
                            BUILD_HEADER_CLIMBS, &headers, error);
    const struct build_request request = {.file_name = command->file,
                                          .source = command->text,
                                          .source_length = command->length,
                                          .defines = command->defines,
                                          .define_count = command->define_count,
                                          .options = (const char *const *)own.words,
                                          .option_count = own.count,
                                          .device_debug = own.debugs,
                                          .headers = headers.items,
                                          .header_count = headers.count,
                                          .architecture = command->architecture
                                                              ? command->architecture
                                                          : *architecture ? architecture
                                                                          : NULL,
                                          .program_runtime = runtime};
    const struct worker_limits limits = {.wall_seconds = BUILD_SECONDS};
    struct build_result build;
    if (status == STATUS_OK)
        status = build_compile(&request, &limits, &build, error);
    if (status == STATUS_OK) {
        status = tell_errors(command, &build, error);
        if (status == STATUS_OK)
            status = program_check(command->file, build.ptx, build.ptx_length, error);
        if (status == STATUS_OK)
            status =
                card_stage_make(build.ptx, build.ptx_length, NULL, NULL, &command->stage, error);
        build_result_free(&build);
    }
    nvcc_arguments_free(&own);
    kernel_headers_free(&headers);
    return status;
}

/* ---- running ----------------------------------------------------------------------------------
 */

/* A terminal is not handed to a stranger's program, nor what can be written to. */
static int open_input(void) {
    int flags = fcntl(STDIN_FILENO, F_GETFL);
    bool sound = flags >= 0 && (flags & O_ACCMODE) == O_RDONLY && !isatty(STDIN_FILENO);
    return sound ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3) : -1;
}

static int exit_code_of(const struct run_report *report, bool is_strict) {
    const char *status = report_run_status(report);
    bool counts = strcmp(status, "hazards") == 0 || (is_strict && strcmp(status, "warnings") == 0);
    if (counts || *report->limit || report->found->end != ENGINE_COMPLETED)
        return STATUS_BELOW_MARK;
    return report->signal ? 128 + report->signal : report->exit_code;
}

static enum status tell(const struct run_command *command, const struct run_report *report,
                        struct error *error) {
    cleanup_text struct text out = {0};
    report_run_text(report, command_color(command->color, STDERR_FILENO), &out);
    fputs(text_string(&out), stderr);
    if (!command->json)
        return STATUS_OK;
    text_clear(&out);
    report_run_json(report, &out);
    return file_write(command->json, text_string(&out), out.length, error);
}

/* As it comes, so that a program that is stopped has said what it had to say. */
static void pass_on(void *context, int descriptor, const char *bytes, size_t length) {
    (void)context;
    FILE *stream = descriptor == 1 ? stdout : stderr;
    fwrite(bytes, 1, length, stream);
    fflush(stream);
}

static bool is_below(const char *folder, const char *other) {
    size_t length = strlen(other);
    return strncmp(folder, other, length) == 0 && (folder[length] == '/' || !folder[length]);
}

/* A folder that nobody works in; what lies there is no program's data. */
static bool is_no_workplace(const char *folder) {
    char home[PATH_MAX];
    const char *named = getenv("HOME");
    return strcmp(folder, "/") == 0 ||
           (named && realpath(named, home) && strcmp(folder, home) == 0);
}

/* The folder that the program starts in a copy of, without links: where its source stands. What
 * was built starts where its user is, as on a card (`warpgrade run build/program`); from the home
 * folder, or the root, only where it stands below. Caller frees; NULL: not to be found. */
static char *find_folder(const struct run_command *command) {
    char resolved[PATH_MAX], own[PATH_MAX];
    const char *name = file_base_name(command->file);
    cleanup_free char *folder = mem_strndup(command->file, (size_t)(name - command->file));
    if (!realpath(*folder ? folder : ".", resolved))
        return NULL;
    bool is_users = !command->compiled && realpath(".", own) &&
                    (is_below(resolved, own) || !is_no_workplace(own));
    return mem_strdup(is_users ? own : resolved);
}

static struct run_file *list_files(const struct card_files *files) {
    struct run_file *list = mem_calloc(files->written_count + 1, sizeof *list);
    for (size_t i = 0; i < files->written_count; i++) {
        const struct card_written *written = &files->written[i];
        list[i] = (struct run_file){written->path, written->bytes, written->kept};
    }
    return list;
}

static enum status run_program(struct run_command *command, int *code, struct error *error) {
    cleanup_fd int input = open_input();
    cleanup_free char *folder = find_folder(command);
    struct program_files files;
    program_files_find(command->arguments, folder, &files);
    struct card_files copies = {.from = folder, .named = files.named, .keep = command->keep};
    const struct jail_folder place = card_files_folder(&copies);
    int cancel = interrupt_watch();
    const struct card_program program = {
        .program = command->stage.program,
        .arguments = files.arguments,
        .shown = files.paths,
        .folder = &place,
        .cancel_fd = cancel > 0 ? cancel : 0,
        .input_fd = input > 0 ? input : 0,
        .runtime_folder = command->stage.folder,
        .take = pass_on,
        .output_bytes = (command->output_mib ? command->output_mib : 256) << 20,
        .file_name = file_base_name(command->file),
        .device = &command->profile,
        .card = command->on_card ? &command->card : NULL,
        .no_checks = command->no_checks,
        .seed = command->seed,
        .budget = command->budget,
        .wall_seconds = command->seconds,
        .memory_bytes = command->memory_mib << 20};
    struct card_result result;
    enum status status = card_run(&program, &result, error);
    program_files_free(&files);
    cleanup_free struct run_file *written = list_files(&copies);
    if (status == STATUS_OK && interrupt_signal()) {
        fputs("interrupted: the program was ended\n", stderr);
        *code = 128 + interrupt_signal();
    } else if (status == STATUS_OK) {
        const struct run_report report = {.program = command->file,
                                          .source = command->compiled ? command->text : NULL,
                                          .source_length = command->length,
                                          .found = &result.found,
                                          .launches = result.launches,
                                          .modelled_ms = result.modelled_ms,
                                          .modelled_sum_ms = result.modelled_sum_ms,
                                          .device = &command->profile,
                                          .card = command->on_card ? command->card.name : NULL,
                                          .leaked_blocks = result.leaked_blocks,
                                          .leaked_bytes = result.leaked_bytes,
                                          .device_bytes = result.device_bytes,
                                          .refused_bytes = result.refused_bytes,
                                          .used = result.used,
                                          .exit_code = result.host.exit_code,
                                          .signal = *result.limit ? 0 : result.host.signal,
                                          .crash = &result.crash.at,
                                          .limit = result.limit,
                                          .files = written,
                                          .file_count = copies.written_count,
                                          .keeps_files = command->keep,
                                          .more_files = copies.more_written,
                                          .left_out = copies.left_out,
                                          .cut = copies.cut,
                                          .protection = protection_current()};
        *code = exit_code_of(&report, command->is_strict);
        status = tell(command, &report, error);
    }
    card_result_free(&result);
    card_files_free(&copies);
    return status;
}

static enum status stage(struct run_command *command, struct error *error) {
    cleanup_free char *folder =
        mem_strndup(command->file, (size_t)(file_base_name(command->file) - command->file));
    enum status status = program_check(command->file, command->text, command->length, error);
    cleanup_free char *shown = find_folder(command);
    return status == STATUS_OK
               ? card_stage_make(command->text, command->length, *folder ? folder : ".", shown,
                                 &command->stage, error)
               : status;
}

/* The first card, and what makes code for it. */
static enum status find_card(struct run_command *command, struct error *error) {
    struct build_toolchain toolchain;
    cleanup_free struct cuda_card *cards = NULL;
    size_t count;
    enum status status = cuda_cards(&cards, &count, error);
    if (status != STATUS_OK)
        return status;
    command->card = cards[0];
    build_toolchain_find(&toolchain, NULL);
    return toolchain.ptxas[0] ? STATUS_OK : build_need_ptxas(error);
}

static enum status run(struct run_command *command, int *code, struct error *error) {
    cleanup_free char *runtime = NULL;
    enum status status = card_runtime_folder(&runtime, error);
    if (status == STATUS_OK && command->on_card)
        status = find_card(command, error);
    if (status == STATUS_OK)
        status = device_load(command->device ? command->device : "h100", &command->profile, error);
    if (status == STATUS_OK)
        status = file_read(command->file, PROGRAM_MAX, &command->text, &command->length, error);
    if (status != STATUS_OK)
        return status;
    if (command->keep && (status = file_make_directories(command->keep, error)) != STATUS_OK)
        return status;
    command->compiled = !is_program(command);
    status = command->compiled ? compile(command, runtime, error) : stage(command, error);
    return status == STATUS_OK ? run_program(command, code, error) : status;
}

int command_run(int argc, char **argv) {
    struct run_command command = {0};
    struct error error = {0};
    int code = 0;
    int count = 0;
    cleanup_free char **words = mark_nvcc_options(argc, argv, &count);
    command_parse_in_order(&parser, count, words, &command);
    enum status status = run(&command, &code, &error);
    card_stage_clear(&command.stage);
    free(command.text);
    return status == STATUS_OK ? code : command_fail(status, &error);
}
