/* The file may have come with somebody's repository: every value is one of a list, and none is a
 * path. */
#include "grader/learn/settings.h"

#include "grader/exercise/device.h"
#include "grader/exercise/yaml.h"
#include "sandbox/base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_DEVICES = 64 };

static const char *const keys[] = {"exercise", "language", "engine", "device"};
static const char *const languages[] = {[LANGUAGE_EN] = "en", [LANGUAGE_ZH] = "zh"};
static const char *const engines[] = {"sim", "cuda", "auto"};

/* NULL where the key is not there or has no value. */
static const struct yaml_node *optional(const struct yaml_document *document, const char *key) {
    const struct yaml_node *node = yaml_get(document->root, key);
    return node && !yaml_is_nothing(node) ? node : NULL;
}

static enum status read_word(const struct yaml_document *document, const char *key,
                             const char *const *words, size_t count, size_t *index, bool *found,
                             struct error *error) {
    const struct yaml_node *node = optional(document, key);
    *found = node != NULL;
    return node ? yaml_choice(document, node, key, words, count, index, error) : STATUS_OK;
}

static enum status read_exercise(const struct yaml_document *document, char *const *ids,
                                 size_t id_count, struct learn_settings *settings,
                                 struct error *error) {
    const struct yaml_node *node;
    const char *id;
    enum status status =
        yaml_require(document, document->root, LEARN_SETTINGS_FILE, "exercise", &node, error);
    if (status == STATUS_OK)
        status = yaml_string(document, node, "exercise", &id, error);
    if (status != STATUS_OK)
        return status;
    for (size_t i = 0; i < id_count; i++)
        if (strcmp(ids[i], id) == 0) {
            settings->exercise = mem_strdup(id);
            return STATUS_OK;
        }
    const char *closest = text_closest(id, (const char *const *)ids, id_count);
    status = yaml_error(document, node, error, "there is no exercise %.64s", id);
    if (closest)
        error_hint(error, "did you mean %s? `warpgrade list` shows the exercises.", closest);
    else
        error_hint(error, "`warpgrade list` shows the exercises.");
    return status;
}

static enum status read_settings(const struct yaml_document *document, char *const *ids,
                                 size_t id_count, struct learn_settings *settings,
                                 struct error *error) {
    const char *devices[MAX_DEVICES];
    size_t index = 0, device_count = 0;
    bool found;
    while (device_count < MAX_DEVICES && (devices[device_count] = device_id(device_count)))
        device_count++;
    /* First of all, so that whatever else is wrong is said in it. */
    enum status status =
        read_word(document, "language", languages, LANGUAGE_COUNT, &index, &found, error);
    if (status == STATUS_OK && found)
        settings->language = (enum language)index;
    if (status == STATUS_OK)
        status = yaml_check_keys(document, document->root, LEARN_SETTINGS_FILE, keys,
                                 ARRAY_LENGTH(keys), error);
    if (status == STATUS_OK)
        status = read_exercise(document, ids, id_count, settings, error);
    if (status == STATUS_OK)
        status =
            read_word(document, "engine", engines, ARRAY_LENGTH(engines), &index, &found, error);
    if (status == STATUS_OK && found)
        settings->engine = mem_strdup(engines[index]);
    if (status == STATUS_OK)
        status = read_word(document, "device", devices, device_count, &index, &found, error);
    if (status == STATUS_OK && found)
        settings->device = mem_strdup(devices[index]);
    return status;
}

enum status learn_settings_load(const char *path, char *const *ids, size_t id_count,
                                struct learn_settings *settings, struct error *error) {
    struct yaml_document *document;
    *settings = (struct learn_settings){.language = LANGUAGE_EN};
    enum status status = yaml_load(path, &document, error);
    if (status != STATUS_OK)
        return status;
    status = read_settings(document, ids, id_count, settings, error);
    yaml_document_free(document);
    return status;
}

void learn_settings_free(struct learn_settings *settings) {
    free(settings->exercise);
    free(settings->engine);
    free(settings->device);
    *settings = (struct learn_settings){0};
}

void learn_settings_write(const char *exercise, enum language language, struct text *out) {
    text_printf(out,
                "# What `warpgrade grade` without arguments grades in this folder.\n"
                "exercise: %s    # the kernel stands in %s.cu\n"
                "language: %s\n"
                "# engine: sim      # or cuda, auto: the simulated GPU, a real one, both\n"
                "# device: h200     # the profile of the speed case: "
                "`warpgrade profile --list-devices`\n",
                exercise, exercise, languages[language]);
}
