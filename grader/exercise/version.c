/* The files are hashed, not what was made of them: a comment in exercise.yaml is another version.
 */
#include "grader/exercise/version.h"

#include "grader/exercise/device.h"
#include "sandbox/base/decimal.h"
#include "sandbox/base/file.h"
#include "sandbox/base/hash.h"
#include "sandbox/base/memory.h"
#include "sandbox/base/text.h"

#include <string.h>

enum { MAX_DEFINITION_BYTES = 16 << 20 };

static enum status add_file(struct text *all, const char *path, struct error *error) {
    cleanup_free char *data = NULL;
    size_t length;
    enum status status = file_read(path, MAX_DEFINITION_BYTES, &data, &length, error);
    if (status != STATUS_OK)
        return status;
    text_printf(all, "%s %zu\n", file_base_name(path), length);
    text_append_bytes(all, data, length);
    return STATUS_OK;
}

/* A profile of the user's own; those that the program carries are covered by its version. */
static enum status add_device(struct text *all, const char *device, struct error *error) {
    text_printf(all, "device %s\n", device);
    for (size_t i = 0; device_id(i); i++)
        if (strcmp(device_id(i), device) == 0)
            return STATUS_OK;
    return add_file(all, device, error);
}

enum status exercise_version(const struct exercise *exercise, const double *pass_mark,
                             const char *device, char version[65], struct error *error) {
    cleanup_free char *yaml = file_join(exercise->directory, "exercise.yaml");
    const char *files[] = {yaml, exercise->reference.file, exercise->tuned.file};
    cleanup_text struct text all = {0};
    enum status status = exercise_require_reference(exercise, error);
    for (size_t i = 0; i < ARRAY_LENGTH(files) && status == STATUS_OK; i++)
        if (files[i])
            status = add_file(&all, files[i], error);
    for (size_t i = 0; i < exercise->header_count; i++)
        text_printf(&all, "%s %zu\n%s", exercise->headers[i].name,
                    strlen(exercise->headers[i].text), exercise->headers[i].text);
    if (pass_mark)
        text_printf(&all, "pass mark %s\n", decimal(*pass_mark, 17).text);
    device = device ? device : exercise->device;
    if (status == STATUS_OK && device)
        status = add_device(&all, device, error);
    const struct hash_part part = {text_string(&all), all.length};
    struct sha256 hash = hash_parts(&part, 1);
    hash_hex(&hash, version);
    return status;
}
