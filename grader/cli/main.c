/* The program's front door: picks the subcommand from command.def and prints its errors.
 *
 * The same binary is its own worker: worker_main() looks at how it was started before anything
 * else happens, so that a worker never runs a line of the command code. */
#include "grader/cli/command.h"
#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"
#include "sandbox/base/text.h"
#include "sandbox/program/worker_main.h"
#include "sandbox/worker/worker.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct command commands[] = {
#define COMMAND(name, function, arguments, summary) {name, arguments, summary, function},
#include "grader/cli/command.def"
#undef COMMAND
};

static void print_usage(FILE *stream) {
    fputs("warpgrade " WARPGRADE_VERSION ": grades CUDA kernels, with or without a GPU\n\n"
          "usage: warpgrade COMMAND [OPTION ...]\n\n",
          stream);
    for (size_t i = 0; i < ARRAY_LENGTH(commands); i++)
        if (commands[i].summary)
            fprintf(stream, "  %-11s %s\n", commands[i].name, commands[i].summary);
    fputs("\n`warpgrade COMMAND --help` lists a command's options.\n"
          "exit codes: 0 passed, 1 below the pass mark or hazards, 2 usage, exercise or compile\n"
          "error, 3 this machine cannot grade\n",
          stream);
}

int main(int argc, char **argv) {
    int code;
    if (worker_main(argc, argv, &code))
        return code;
    signal(SIGPIPE, SIG_IGN);
    if (argc > 0 && strcmp(file_base_name(argv[0]), "warpgrade-nvcc") == 0)
        return command_nvcc(argc, argv);
    command_lend_table(commands, ARRAY_LENGTH(commands));
    if (argc < 2) {
        print_usage(stderr);
        return STATUS_INVALID;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
        strcmp(argv[1], "help") == 0) {
        print_usage(stdout);
        return 0;
    }
    if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0) {
        puts("warpgrade " WARPGRADE_VERSION);
        return 0;
    }
    const char *names[ARRAY_LENGTH(commands)];
    for (size_t i = 0; i < ARRAY_LENGTH(commands); i++) {
        names[i] = commands[i].name;
        if (strcmp(argv[1], commands[i].name) != 0)
            continue;
        char *program = mem_printf("warpgrade %s", commands[i].name);
        argv[1] = program;
        code = commands[i].run(argc - 1, argv + 1);
        if (fflush(stdout) != 0 && code == 0) {
            fputs("warpgrade: standard output cannot be written\n", stderr);
            code = STATUS_ENVIRONMENT;
        }
        free(program);
        return code;
    }
    struct error error;
    enum status status = error_set(&error, STATUS_INVALID, "unknown command %s", argv[1]);
    const char *closest = text_closest(argv[1], names, ARRAY_LENGTH(commands));
    if (closest)
        error_hint(&error, "did you mean `warpgrade %s`? `warpgrade --help` lists the commands.",
                   closest);
    else
        error_hint(&error, "`warpgrade --help` lists the commands.");
    return command_fail(status, &error);
}
