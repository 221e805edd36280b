/* Reads device profiles: a YAML mapping with `name` and one number for each row of
 * sandbox/base/device.def. All of them must be there, and nothing else: a number that is missing or
 * misspelt must not become a silent default that a reader believes. */
#include "grader/exercise/device.h"

#include "grader/exercise/device_source.h"
#include "grader/exercise/yaml.h"
#include "sandbox/base/decimal.h"
#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"
#include "sandbox/base/text.h"

#include <stdio.h>
#include <string.h>

enum { MAX_DEVICES = 64 };

static const struct field {
    const char *name;
    size_t offset;
    double low, high;
    const char *unit, *summary;
} fields[] = {
#define DEVICE_FIELD(name, unit, low, high, summary)                                               \
    {#name, offsetof(struct device_profile, name), low, high, unit, summary},
#include "sandbox/base/device.def"
#undef DEVICE_FIELD
};

const char *device_id(size_t index) {
    for (size_t i = 0; i <= index; i++)
        if (!device_sources[i].id)
            return NULL;
    return device_sources[index].id;
}

/* What each number by itself cannot say. */
static enum status check_together(const struct yaml_document *document,
                                  const struct device_profile *profile, struct error *error) {
    const struct yaml_node *root = document->root;
    if (profile->shared_bytes_per_sm > profile->l1_bytes)
        return yaml_error(document, yaml_get(root, "shared_bytes_per_sm"), error,
                          "shared_bytes_per_sm: more than the %.0f bytes of l1_bytes, of which "
                          "shared memory is a part",
                          profile->l1_bytes);
    if (profile->shared_bytes_per_block > profile->shared_bytes_per_sm)
        return yaml_error(document, yaml_get(root, "shared_bytes_per_block"), error,
                          "shared_bytes_per_block: more than the %.0f bytes of "
                          "shared_bytes_per_sm",
                          profile->shared_bytes_per_sm);
    if (!(profile->l1_cycles <= profile->l2_cycles && profile->l2_cycles <= profile->dram_cycles))
        return yaml_error(document, yaml_get(root, "dram_cycles"), error,
                          "l1_cycles, l2_cycles and dram_cycles must not fall: %s, %s, %s",
                          decimal(profile->l1_cycles, 6).text, decimal(profile->l2_cycles, 6).text,
                          decimal(profile->dram_cycles, 6).text);
    return STATUS_OK;
}

static enum status read_field(const struct yaml_document *document, const struct field *field,
                              struct device_profile *profile, struct error *error) {
    const struct yaml_node *node;
    double *value = (double *)((char *)profile + field->offset);
    enum status status =
        yaml_require(document, document->root, "the device profile", field->name, &node, error);
    if (status == STATUS_OK)
        status = yaml_number(document, node, field->name, field->low, field->high, value, error);
    if (status != STATUS_OK)
        error_hint(error, "%s: %s%s%s.", field->name, field->summary, field->unit[0] ? ", in " : "",
                   field->unit);
    return status;
}

static enum status read_fields(const struct yaml_document *document, struct device_profile *profile,
                               struct error *error) {
    const char *names[ARRAY_LENGTH(fields) + 1] = {"name"};
    for (size_t i = 0; i < ARRAY_LENGTH(fields); i++)
        names[i + 1] = fields[i].name;
    const struct yaml_node *root = document->root, *node;
    const char *name;
    enum status status =
        yaml_check_keys(document, root, "the device profile", names, ARRAY_LENGTH(names), error);
    if (status == STATUS_OK)
        status = yaml_require(document, root, "the device profile", "name", &node, error);
    if (status == STATUS_OK)
        status = yaml_string(document, node, "name", &name, error);
    if (status != STATUS_OK)
        return status;
    if (strlen(name) >= sizeof profile->name || name[strcspn(name, "\n")])
        return yaml_error(document, node, error, "name: at most %zu bytes on one line",
                          sizeof profile->name - 1);
    memcpy(profile->name, name, strlen(name) + 1);
    for (size_t i = 0; i < ARRAY_LENGTH(fields) && status == STATUS_OK; i++)
        status = read_field(document, &fields[i], profile, error);
    return status == STATUS_OK ? check_together(document, profile, error) : status;
}

enum status device_parse(const char *file, const char *id, const char *source, size_t length,
                         struct device_profile *profile, struct error *error) {
    *profile = (struct device_profile){0};
    snprintf(profile->id, sizeof profile->id, "%s", id);
    struct yaml_document *document;
    enum status status = yaml_parse(file, source, length, &document, error);
    if (status != STATUS_OK)
        return status;
    status = read_fields(document, profile, error);
    yaml_document_free(document);
    return status;
}

static bool is_path(const char *name) {
    size_t length = strlen(name);
    return strchr(name, '/') || (length > 5 && strcmp(name + length - 5, ".yaml") == 0) ||
           (length > 4 && strcmp(name + length - 4, ".yml") == 0);
}

static enum status load_file(const char *path, struct device_profile *profile,
                             struct error *error) {
    cleanup_free char *source = NULL;
    size_t length;
    enum status status = file_read(path, YAML_MAX_BYTES, &source, &length, error);
    if (status != STATUS_OK)
        return status;
    cleanup_free char *id = mem_strdup(file_base_name(path));
    char *dot = strrchr(id, '.');
    if (dot)
        *dot = '\0';
    return device_parse(path, id, source, length, profile, error);
}

static enum status unknown(const char *name, struct error *error) {
    const char *ids[MAX_DEVICES];
    size_t count = 0;
    struct text list = {0};
    for (; count < MAX_DEVICES && device_sources[count].id; count++) {
        ids[count] = device_sources[count].id;
        text_printf(&list, "%s%s", count ? ", " : "", ids[count]);
    }
    error_set(error, STATUS_INVALID, "there is no device profile %.80s", name);
    const char *closest = text_closest(name, ids, count);
    if (closest)
        error_hint(error, "did you mean %s? There are %s; a file of your own is given as a path.",
                   closest, text_string(&list));
    else
        error_hint(error, "There are %s; a file of your own is given as a path.",
                   text_string(&list));
    text_free(&list);
    return STATUS_INVALID;
}

enum status device_load(const char *name, struct device_profile *profile, struct error *error) {
    *profile = (struct device_profile){0};
    if (is_path(name))
        return load_file(name, profile, error);
    for (const struct device_source *source = device_sources; source->id; source++) {
        if (strcmp(source->id, name) != 0)
            continue;
        char file[64];
        snprintf(file, sizeof file, "%s.yaml", name);
        return device_parse(file, source->id, source->text, strlen(source->text), profile, error);
    }
    return unknown(name, error);
}
