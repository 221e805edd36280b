/* `warpgrade nvcc`: nvcc with the options that `warpgrade run` needs, for Makefiles and for
 * programs of several files. It runs as the user, on the user's own sources, as nvcc does: nothing
 * is jailed before the program runs. */
#include "grader/cli/command.h"
#include "grader/cli/run/nvcc_arguments.h"

#include "sandbox/base/memory.h"
#include "sandbox/build/build.h"
#include "sandbox/card/card.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    (void)argument;
    if (key == ARGP_KEY_NO_ARGS)
        argp_error(state, "what shall nvcc do?");
    return key == ARGP_KEY_ARG || key == ARGP_KEY_NO_ARGS ? 0 : ARGP_ERR_UNKNOWN;
}

static const struct argp parser = {
    NULL,
    parse_option,
    "NVCC-ARGUMENTS",
    "Runs nvcc, with the options changed that `warpgrade run` needs otherwise: the shared CUDA "
    "runtime, one architecture, as PTX that is not compressed (compute_80 where none is named), "
    "and "
    "line numbers. In a Makefile: NVCC = warpgrade nvcc; for CMake: "
    "-DCMAKE_CUDA_COMPILER=warpgrade-nvcc, which is the same.\vExit status: nvcc's; 3 where there "
    "is no nvcc or no host compiler.",
    NULL,
    NULL,
    NULL};

/* What argp shall not read as its own stands after "--". */
static void parse(int argc, char **argv) {
    static char end[] = "--";
    bool asks = argc == 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "--usage") == 0);
    cleanup_free char **words = mem_calloc((size_t)argc + 2, sizeof *words);
    int count = 0;
    words[count++] = argv[0];
    if (!asks)
        words[count++] = end;
    for (int i = 1; i < argc; i++)
        words[count++] = argv[i];
    command_parse(&parser, count, words, NULL);
}

/* nvcc asks for these by name, where no other is named. */
static enum status check_host_compiler(char **argv, struct error *error) {
    for (; *argv; argv++)
        if (strncmp(*argv, "-ccbin", 6) == 0 || strncmp(*argv, "--compiler-bindir", 17) == 0)
            return STATUS_OK;
    return getenv("NVCC_CCBIN") ? STATUS_OK : build_need_host_compiler(getenv("PATH"), error);
}

static enum status run_nvcc(struct build_toolchain *toolchain, struct nvcc_arguments *arguments,
                            char **argv, struct error *error) {
    enum status status = toolchain->nvcc[0] ? STATUS_OK : build_need_nvcc(error);
    if (status == STATUS_OK && arguments->builds)
        status = check_host_compiler(argv, error);
    if (status != STATUS_OK)
        return status;
    fputs(text_string(&arguments->note), stderr);
    free(arguments->words[0]);
    arguments->words[0] = mem_strdup(toolchain->nvcc);
    execv(toolchain->nvcc, arguments->words);
    return error_set(error, STATUS_ENVIRONMENT, "cannot run %s: %s", toolchain->nvcc,
                     strerror(errno));
}

int command_nvcc(int argc, char **argv) {
    struct build_toolchain toolchain;
    struct nvcc_arguments arguments;
    struct error error = {0};
    parse(argc, argv);
    build_toolchain_find(&toolchain, NULL); /* NVRTC need not be there */
    cleanup_free char *runtime = NULL;
    card_runtime_folder(&runtime, NULL); /* what needs no linking needs none */
    const struct nvcc_setting setting = {.version = toolchain.version_major, .runtime = runtime};
    nvcc_arguments_make(&setting, argv + 1, &arguments);
    enum status status = run_nvcc(&toolchain, &arguments, argv + 1, &error);
    nvcc_arguments_free(&arguments);
    return command_fail(status, &error);
}
