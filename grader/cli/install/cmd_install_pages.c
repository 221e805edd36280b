/* `warpgrade install-pages DIR`: the manual pages and completions of an installation, for the
 * build; no command for people. */
#include "grader/cli/command.h"
#include "grader/cli/install/completion.h"
#include "grader/cli/install/man_page.h"
#include "grader/cli/install/option_table.h"
#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"

#include <argp.h>
#include <stdlib.h>

static error_t parse_option(int key, char *value, struct argp_state *state) {
    const char **folder = state->input;
    if (key == ARGP_KEY_ARG && !*folder)
        *folder = value;
    else if (key == ARGP_KEY_ARG || key == ARGP_KEY_NO_ARGS)
        argp_error(state, "into which folder?");
    else
        return ARGP_ERR_UNKNOWN;
    return 0;
}

static enum status write_file(const char *folder, const char *name, const struct text *text,
                              struct error *error) {
    cleanup_free char *path = mem_printf("%s/%s", folder, name);
    return file_write(path, text_string(text), text->length, error);
}

static enum status write_man_pages(const json_t *commands, const char *folder,
                                   struct error *error) {
    cleanup_text struct text program = {0};
    man_page_program(commands, &program);
    enum status status = write_file(folder, "warpgrade.1", &program, error);
    for (size_t i = 0; i < json_array_size(commands) && status == STATUS_OK; i++) {
        const json_t *command = json_array_get(commands, i);
        cleanup_text struct text page = {0};
        cleanup_free char *name = mem_printf("warpgrade-%s.1", option_table_text(command, "name"));
        if (!json_is_null(json_object_get(command, "parent")))
            continue;
        man_page_command(commands, i, &page);
        status = write_file(folder, name, &page, error);
    }
    return status;
}

/* Each under the name by which its shell finds it. */
static enum status write_completions(const json_t *commands, const char *folder,
                                     struct error *error) {
    static const char *const files[][2] = {
        {"bash", "warpgrade"}, {"zsh", "_warpgrade"}, {"fish", "warpgrade.fish"}};
    enum status status = STATUS_OK;
    for (size_t i = 0; i < ARRAY_LENGTH(files) && status == STATUS_OK; i++) {
        cleanup_text struct text script = {0};
        completion_writer_find(files[i][0])(commands, &script);
        status = write_file(folder, files[i][1], &script, error);
    }
    return status;
}

static enum status write_all(const json_t *commands, const char *folder, struct error *error) {
    cleanup_free char *pages = file_join(folder, "man1");
    enum status status = file_make_directories(pages, error);
    if (status == STATUS_OK)
        status = write_man_pages(commands, pages, error);
    return status == STATUS_OK ? write_completions(commands, folder, error) : status;
}

int command_install_pages(int argc, char **argv) {
    static const struct argp parser = {.parser = parse_option,
                                       .args_doc = "DIR",
                                       .doc = "Writes manual pages and completions into DIR."};
    const char *folder = NULL;
    json_t *commands;
    struct error error = {0};
    command_parse(&parser, argc, argv, &folder);
    enum status status = option_table_read(&commands, &error);
    if (status == STATUS_OK) {
        status = write_all(commands, folder, &error);
        json_decref(commands);
    }
    return status == STATUS_OK ? STATUS_OK : command_fail(status, &error);
}
