/* Headers that an exercise gives its students: files beside exercise.yaml, one name each.
 *
 * They are read once, with the exercise, so that all kernels of a session see the same text. */
#include "grader/exercise/exercise_check.h"

#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"

#include <string.h>

enum { MAX_HEADER_BYTES = 1 << 20, MAX_ALL_BYTES = 2 << 20 };

static bool is_header_name(const char *name) {
    static const char *const endings[] = {".h", ".cuh", ".hpp"};
    const char *ending = strrchr(name, '.');
    for (size_t i = 0; ending && ending != name && i < ARRAY_LENGTH(endings); i++)
        if (strcmp(ending, endings[i]) == 0)
            return !strchr(name, '/');
    return false;
}

static enum status load_header(const struct check *check, const struct yaml_node *node,
                               struct exercise *exercise, size_t *bytes) {
    cleanup_free char *path = file_join(exercise->directory, node->text);
    cleanup_free char *text = NULL;
    size_t length;
    if (!is_header_name(node->text))
        return FAIL(check, node, "expected <name>.h, .cuh or .hpp without a folder, found %s",
                    node->text);
    for (size_t i = 0; i < exercise->header_count; i++)
        if (strcmp(exercise->headers[i].name, node->text) == 0)
            return FAIL(check, node, "the header %s is listed twice", node->text);
    if (!file_exists(path))
        return FAIL(check, node, "there is no file %s", path);
    if (file_read(path, MAX_HEADER_BYTES, &text, &length, NULL) != STATUS_OK ||
        strlen(text) != length)
        return FAIL(check, node, "%s is no text of at most 1 MiB", path);
    *bytes += length;
    if (*bytes > MAX_ALL_BYTES)
        return FAIL(check, node, "with %s the headers are larger than 2 MiB", node->text);
    exercise->headers[exercise->header_count++] =
        (struct source_header){.name = mem_strdup(node->text), .text = steal_pointer(&text)};
    return STATUS_OK;
}

enum status exercise_load_headers(const struct yaml_document *document, struct exercise *exercise,
                                  struct error *error) {
    const struct check check = {document, exercise, error};
    const struct yaml_node *list = root_get(&check, "headers");
    enum status status = STATUS_OK;
    size_t bytes = 0;
    exercise->headers = mem_calloc(list ? list->count + 1 : 1, sizeof *exercise->headers);
    for (size_t i = 0; list && i < list->count && status == STATUS_OK; i++)
        status = load_header(&check, list->items[i], exercise, &bytes);
    return status;
}
