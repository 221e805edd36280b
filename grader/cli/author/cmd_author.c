/* `warpgrade author`: what someone who writes exercises needs. */
#include "grader/cli/author/author_cli.h"

#include "sandbox/base/memory.h"

#include <argp.h>
#include <string.h>

static error_t parse_word(int key, char *value, struct argp_state *state) {
    if (key != ARGP_KEY_ARG && key != ARGP_KEY_NO_ARGS)
        return ARGP_ERR_UNKNOWN;
    if (key == ARGP_KEY_ARG)
        argp_error(state, "there is no `author %.80s`; there are `author new` and `author mutate`",
                   value);
    else
        argp_error(state,
                   "`author new ID --from KERNEL.cu` makes an exercise, `author mutate FILE` "
                   "tries its cases");
    return 0;
}

int command_author(int argc, char **argv) {
    static const struct {
        const char *name;
        int (*run)(int argc, char **argv);
    } parts[] = {{"new", command_author_new}, {"mutate", command_author_mutate}};
    for (size_t i = 0; i < ARRAY_LENGTH(parts) && argc > 1; i++)
        if (strcmp(argv[1], parts[i].name) == 0) {
            cleanup_free char *program = mem_printf("%s %s", argv[0], argv[1]);
            argv[1] = program;
            return parts[i].run(argc - 1, argv + 1);
        }
    static const struct argp parser = {
        .parser = parse_word,
        .args_doc = "new ID --from KERNEL.cu\nmutate FILE",
        .doc = "For authors of exercises: `author new` makes an exercise from a kernel that works, "
               "`author mutate` breaks a solution in many ways and shows what the cases let pass."};
    command_parse(&parser, argc, argv, NULL);
    return STATUS_OK;
}
