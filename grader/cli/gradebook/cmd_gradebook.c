/* `warpgrade gradebook`: what stands in a gradebook, and decisions about it. */
#include "grader/cli/gradebook/gradebook_cli.h"

#include "sandbox/base/memory.h"
#include "sandbox/base/text.h"

#include <stdio.h>
#include <string.h>

static const struct subcommand {
    const char *name, *arguments, *summary;
    int (*run)(int argc, char **argv);
} subcommands[] = {
    {"show", "BOOK", "the class at a glance: students, exercises, totals", gradebook_show_command},
    {"why", "BOOK STUDENT EXERCISE", "adds a grade up, case by case", gradebook_why_command},
    {"history", "BOOK", "all attempts, gradings and decisions in the order of time",
     gradebook_history_command},
    {"override", "BOOK STUDENT EXERCISE POINTS", "sets a grade by hand, or takes that back",
     gradebook_override_command},
    {"export", "BOOK FORMAT", "csv, totals, canvas, moodle, json, gradescope",
     gradebook_export_command},
    {"verify", "BOOK", "is it whole, and do all sums agree", gradebook_verify_command},
};

static void print_usage(FILE *stream) {
    fputs("usage: warpgrade gradebook SUBCOMMAND [OPTION ...] BOOK ...\n\n", stream);
    for (size_t i = 0; i < ARRAY_LENGTH(subcommands); i++)
        fprintf(stream, "  %-8s  %-28s  %s\n", subcommands[i].name, subcommands[i].arguments,
                subcommands[i].summary);
    fputs("\nBOOK is a gradebook, or the COURSE.yaml that names it.\n"
          "`warpgrade gradebook SUBCOMMAND --help` lists a subcommand's options.\n"
          "exit codes: 0 done, 1 verify found damage, 2 usage or a file that is no gradebook,\n"
          "3 it could not be read or written\n",
          stream);
}

int command_gradebook(int argc, char **argv) {
    if (argc < 2) {
        print_usage(stderr);
        return STATUS_INVALID;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-?") == 0) {
        print_usage(stdout);
        return STATUS_OK;
    }
    const char *names[ARRAY_LENGTH(subcommands)];
    for (size_t i = 0; i < ARRAY_LENGTH(subcommands); i++) {
        names[i] = subcommands[i].name;
        if (strcmp(argv[1], subcommands[i].name) != 0)
            continue;
        cleanup_free char *program = mem_printf("%s %s", argv[0], argv[1]);
        argv[1] = program;
        return subcommands[i].run(argc - 1, argv + 1);
    }
    struct error error;
    enum status status =
        error_set(&error, STATUS_INVALID, "unknown subcommand %.80s of gradebook", argv[1]);
    const char *closest = text_closest(argv[1], names, ARRAY_LENGTH(names));
    error_hint(&error,
               closest ? "did you mean `warpgrade gradebook %s`?"
                       : "`warpgrade gradebook --help` lists them%s",
               closest ? closest : "");
    return command_fail(status, &error);
}
