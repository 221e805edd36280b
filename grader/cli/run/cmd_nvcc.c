/* `warpgrade nvcc`: nvcc with the options that `warpgrade run` needs, for Makefiles and for
 * programs of several files. It runs as the user, on the user's own sources, as nvcc does: nothing
 * is jailed before the program runs. */
#include "grader/cli/command.h"

#include "sandbox/base/memory.h"
#include "sandbox/build/build.h"
#include "sandbox/card/card.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ADDED_WORDS = 12 };

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
    "Runs nvcc with what `warpgrade run` needs: -cudart shared, PTX that is not compressed, line "
    "numbers, and -arch=compute_80 where no architecture is given. In a Makefile: "
    "NVCC = warpgrade nvcc.\vExit status: nvcc's; 3 where there is none.",
    NULL,
    NULL,
    NULL};

static bool names_architecture(char **words) {
    static const char *const options[] = {"-arch", "--gpu-architecture", "-gencode",
                                          "--generate-code"};
    for (; *words; words++)
        for (size_t i = 0; i < ARRAY_LENGTH(options); i++)
            if (strncmp(*words, options[i], strlen(options[i])) == 0)
                return true;
    return false;
}

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

int command_nvcc(int argc, char **argv) {
    static char cudart[] = "-cudart", shared[] = "shared", plain[] = "--no-compress";
    static char host[] = "-Xcompiler", host_lines[] = "-g1", lines[] = "-lineinfo",
                architecture[] = "-arch=compute_80";
    struct build_toolchain toolchain;
    struct error error = {0};
    parse(argc, argv);
    build_toolchain_find(&toolchain, NULL); /* NVRTC need not be there */
    if (!toolchain.nvcc[0])
        return command_fail(build_need_nvcc(&error), &error);
    cleanup_free char *runtime = card_runtime_folder();
    cleanup_free char *folder = runtime ? mem_printf("-L%s", runtime) : NULL;
    cleanup_free char **words = mem_calloc((size_t)argc + ADDED_WORDS, sizeof *words);
    char *added[] = {toolchain.nvcc, cudart, shared, plain, lines, host, host_lines, folder};
    size_t count = 0;
    for (size_t i = 0; i < ARRAY_LENGTH(added) && added[i]; i++)
        words[count++] = added[i];
    if (!names_architecture(argv + 1))
        words[count++] = architecture;
    for (int i = 1; i < argc; i++)
        words[count++] = argv[i];
    execv(toolchain.nvcc, words);
    error_set(&error, STATUS_ENVIRONMENT, "cannot run %s: %s", toolchain.nvcc, strerror(errno));
    return command_fail(STATUS_ENVIRONMENT, &error);
}
