/* Reads device profiles: a YAML mapping with `name`, perhaps `checked`, and one number for each row
 * of sandbox/base/device.def. All of them must be there, and nothing else: a number that is missing
 * or misspelt must not become a silent default that a reader believes.
 *
 * A number is plain, or a mapping that says where it comes from:
 *
 *     alu_cycles: {value: 4.2, measured: "latency/fma.f32, lop3.u32"}
 */
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

const char *device_id(size_t index) {
    for (size_t i = 0; i <= index; i++)
        if (!device_sources[i].id)
            return NULL;
    return device_sources[index].id;
}

/* The number itself, of a plain one and of one with its origin. */
static const struct yaml_node *value_of(const struct yaml_node *root, const char *key) {
    const struct yaml_node *node = yaml_get(root, key), *value = yaml_get(node, "value");
    return value ? value : node;
}

/* What each number by itself cannot say. */
static enum status check_together(const struct yaml_document *document,
                                  const struct device_profile *profile, struct error *error) {
    const struct yaml_node *root = document->root;
    if (profile->shared_bytes_per_sm > profile->l1_bytes)
        return yaml_error(document, value_of(root, "shared_bytes_per_sm"), error,
                          "shared_bytes_per_sm: more than the %.0f bytes of l1_bytes, of which "
                          "shared memory is a part",
                          profile->l1_bytes);
    if (profile->shared_bytes_per_block > profile->shared_bytes_per_sm)
        return yaml_error(document, value_of(root, "shared_bytes_per_block"), error,
                          "shared_bytes_per_block: more than the %.0f bytes of "
                          "shared_bytes_per_sm",
                          profile->shared_bytes_per_sm);
    if (!(profile->l1_cycles <= profile->l2_cycles && profile->l2_cycles <= profile->dram_cycles))
        return yaml_error(document, value_of(root, "dram_cycles"), error,
                          "l1_cycles, l2_cycles and dram_cycles must not fall: %s, %s, %s",
                          decimal(profile->l1_cycles, 6).text, decimal(profile->l2_cycles, 6).text,
                          decimal(profile->dram_cycles, 6).text);
    return STATUS_OK;
}

/* A text that says something, on one line. */
static enum status read_note(const struct yaml_document *document, const struct yaml_node *node,
                             const char *what, const char *says, const char **note,
                             struct error *error) {
    enum status status = yaml_string(document, node, what, note, error);
    if (status == STATUS_OK && (!**note || (*note)[strcspn(*note, "\n")]))
        status = yaml_error(document, node, error, "%s: expected a text on one line that says %s",
                            what, says);
    return status;
}

/* The one key beside `value`: which it is, and its text. */
static enum status read_origin(const struct yaml_document *document, const struct yaml_node *node,
                               const char *name, enum device_origin *origin, const char **note,
                               struct error *error) {
    *origin = DEVICE_UNSAID;
    for (enum device_origin i = DEVICE_MEASURED; i < DEVICE_ORIGIN_COUNT; i++) {
        const struct yaml_node *text = yaml_get(node, device_origin_names[i]);
        if (!text)
            continue;
        if (*origin != DEVICE_UNSAID)
            return yaml_error(document, text, error,
                              "%s: either measured, documented or assumed, found both %s and %s",
                              name, device_origin_names[*origin], device_origin_names[i]);
        *origin = i;
        enum status status = read_note(document, text, device_origin_names[i],
                                       "where the number comes from", note, error);
        if (status != STATUS_OK)
            return status;
    }
    if (*origin != DEVICE_UNSAID)
        return STATUS_OK;
    enum status status = yaml_error(
        document, node, error, "%s: expected measured, documented or assumed beside value", name);
    error_hint(error, "assumed: \"why\", say; or the number alone, without value.");
    return status;
}

/* Where a number stands, and where it comes from. */
static enum status read_sourced(const struct yaml_document *document, const char *name,
                                const struct yaml_node **node, enum device_origin *origin,
                                const char **note, struct error *error) {
    const struct yaml_node *mapping = *node;
    const char *keys[DEVICE_ORIGIN_COUNT] = {"value"};
    for (size_t i = DEVICE_MEASURED; i < DEVICE_ORIGIN_COUNT; i++)
        keys[i] = device_origin_names[i];
    enum status status = yaml_check_keys(document, mapping, name, keys, ARRAY_LENGTH(keys), error);
    if (status == STATUS_OK)
        status = yaml_require(document, mapping, name, "value", node, error);
    if (status == STATUS_OK)
        status = read_origin(document, mapping, name, origin, note, error);
    return status;
}

static enum status read_number(const struct yaml_document *document, size_t index,
                               struct device_profile *profile, struct device_notes *notes,
                               struct error *error) {
    const struct device_number *number = &device_numbers[index];
    const struct yaml_node *node;
    double *value = (double *)((char *)profile + number->offset);
    enum device_origin origin = DEVICE_UNSAID;
    const char *note = NULL;
    enum status status =
        yaml_require(document, document->root, "the device profile", number->name, &node, error);
    if (status == STATUS_OK && node->kind == YAML_MAPPING) {
        status = read_sourced(document, number->name, &node, &origin, &note, error);
        if (status != STATUS_OK)
            return status;
    }
    if (status == STATUS_OK)
        status = yaml_number(document, node, number->name, number->low, number->high, value, error);
    if (status != STATUS_OK) {
        error_hint(error, "%s: %s%s%s.", number->name, number->summary,
                   number->unit[0] ? ", in " : "", number->unit);
        return status;
    }
    profile->origins[index] = (unsigned char)origin;
    if (notes && note)
        notes->numbers[index] = mem_strdup(note);
    return STATUS_OK;
}

static enum status read_name(const struct yaml_document *document, struct device_profile *profile,
                             struct error *error) {
    const struct yaml_node *node;
    const char *name;
    enum status status =
        yaml_require(document, document->root, "the device profile", "name", &node, error);
    if (status == STATUS_OK)
        status = yaml_string(document, node, "name", &name, error);
    if (status != STATUS_OK)
        return status;
    if (strlen(name) >= sizeof profile->name || name[strcspn(name, "\n")])
        return yaml_error(document, node, error, "name: at most %zu bytes on one line",
                          sizeof profile->name - 1);
    memcpy(profile->name, name, strlen(name) + 1);
    return STATUS_OK;
}

static enum status read_checked(const struct yaml_document *document,
                                struct device_profile *profile, struct device_notes *notes,
                                struct error *error) {
    const struct yaml_node *node = yaml_get(document->root, "checked");
    const char *note;
    if (!node)
        return STATUS_OK;
    enum status status = read_note(document, node, "checked",
                                   "how modelled times were compared with a card's", &note, error);
    profile->checked = status == STATUS_OK;
    if (profile->checked && notes)
        notes->checked = mem_strdup(note);
    return status;
}

static enum status read_profile(const struct yaml_document *document,
                                struct device_profile *profile, struct device_notes *notes,
                                struct error *error) {
    const char *names[DEVICE_NUMBER_COUNT + 2] = {"name", "checked"};
    for (size_t i = 0; i < DEVICE_NUMBER_COUNT; i++)
        names[i + 2] = device_numbers[i].name;
    enum status status = yaml_check_keys(document, document->root, "the device profile", names,
                                         ARRAY_LENGTH(names), error);
    if (status == STATUS_OK)
        status = read_name(document, profile, error);
    if (status == STATUS_OK)
        status = read_checked(document, profile, notes, error);
    for (size_t i = 0; i < DEVICE_NUMBER_COUNT && status == STATUS_OK; i++)
        status = read_number(document, i, profile, notes, error);
    return status == STATUS_OK ? check_together(document, profile, error) : status;
}

enum status device_parse(const char *file, const char *id, const char *source, size_t length,
                         struct device_profile *profile, struct device_notes *notes,
                         struct error *error) {
    *profile = (struct device_profile){0};
    if (notes)
        *notes = (struct device_notes){0};
    snprintf(profile->id, sizeof profile->id, "%s", id);
    struct yaml_document *document;
    enum status status = yaml_parse(file, source, length, &document, error);
    if (status != STATUS_OK)
        return status;
    status = read_profile(document, profile, notes, error);
    yaml_document_free(document);
    if (status != STATUS_OK && notes)
        device_notes_free(notes);
    return status;
}

static bool is_path(const char *name) {
    size_t length = strlen(name);
    return strchr(name, '/') || (length > 5 && strcmp(name + length - 5, ".yaml") == 0) ||
           (length > 4 && strcmp(name + length - 4, ".yml") == 0);
}

static enum status load_file(const char *path, struct device_profile *profile,
                             struct device_notes *notes, struct error *error) {
    cleanup_free char *source = NULL;
    size_t length;
    enum status status = file_read(path, YAML_MAX_BYTES, &source, &length, error);
    if (status != STATUS_OK)
        return status;
    cleanup_free char *id = mem_strdup(file_base_name(path));
    char *dot = strrchr(id, '.');
    if (dot)
        *dot = '\0';
    return device_parse(path, id, source, length, profile, notes, error);
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

enum status device_load_notes(const char *name, struct device_profile *profile,
                              struct device_notes *notes, struct error *error) {
    *profile = (struct device_profile){0};
    if (notes)
        *notes = (struct device_notes){0};
    if (is_path(name))
        return load_file(name, profile, notes, error);
    for (const struct device_source *source = device_sources; source->id; source++) {
        if (strcmp(source->id, name) != 0)
            continue;
        char file[64];
        snprintf(file, sizeof file, "%s.yaml", name);
        return device_parse(file, source->id, source->text, strlen(source->text), profile, notes,
                            error);
    }
    return unknown(name, error);
}

enum status device_load(const char *name, struct device_profile *profile, struct error *error) {
    return device_load_notes(name, profile, NULL, error);
}
