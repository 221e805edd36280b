/* See gradescope.h. A container of Gradescope has another distribution's libraries than this
 * machine: a binary of here would not start there. So the sources go along, without their tests,
 * and with the one exercise that is graded; setup.sh has ./bootstrap build them, which knows what
 * that needs.
 *
 * The scripts stand beside this file as they are run, but for the words between @ that are filled
 * in here; ids of exercises are made of letters, digits and dashes. */
#include "grader/bundle/gradescope.h"

#include "grader/bundle/archive.h"
#include "grader/exercise/home.h"
#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"
#include "sandbox/base/text.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_SCRIPT_BYTES = 1 << 20 };

/* Where the sources lie in the bundle. */
#define TREE    "warpgrade"

#define SCRIPTS "grader/bundle/gradescope"

struct word {
    const char *name, *value;
};

static void fill_in(const char *script, const struct word *words, size_t count, struct text *out) {
    while (*script) {
        size_t i = 0;
        while (i < count && strncmp(script, words[i].name, strlen(words[i].name)) != 0)
            i++;
        if (i < count) {
            text_append(out, words[i].value);
            script += strlen(words[i].name);
        } else {
            text_append_char(out, *script++);
        }
    }
}

static enum status add_scripts(struct archive *archive, const char *sources, const char *id,
                               const struct gradescope_options *options, struct error *error) {
    static const char *const names[] = {"setup.sh", "run_autograder"};
    static const char *const languages[LANGUAGE_COUNT] = {"en", "zh"};
    const struct word words[] = {
        {"@VERSION@", WARPGRADE_VERSION},
        {"@EXERCISE@", id},
        {"@LANGUAGE@", languages[options->language]},
        {"@JAIL@", options->unsafe ? "--unsafe-no-jail" : ""},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(names); i++) {
        cleanup_free char *path = mem_printf("%s/" SCRIPTS "/%s", sources, names[i]);
        cleanup_free char *script = NULL;
        cleanup_text struct text filled = {0};
        size_t length;
        enum status status = file_read(path, MOST_SCRIPT_BYTES, &script, &length, error);
        if (status != STATUS_OK)
            return status;
        fill_in(script, words, ARRAY_LENGTH(words), &filled);
        status = archive_add(archive, names[i], filled.data, filled.length, true, error);
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}

static enum status add_sources(struct archive *archive, const char *sources, struct error *error) {
    static const char *const files[] = {"CMakeLists.txt", "CMakePresets.json", "LICENSE",
                                        "README.md", "bootstrap"};
    static const char *const folders[] = {"grader", "reports", "sandbox"};
    enum status status = STATUS_OK;
    for (size_t i = 0; i < ARRAY_LENGTH(files) && status == STATUS_OK; i++) {
        cleanup_free char *path = file_join(sources, files[i]);
        cleanup_free char *name = file_join(TREE, files[i]);
        status = archive_add_file(archive, name, path, error);
    }
    for (size_t i = 0; i < ARRAY_LENGTH(folders) && status == STATUS_OK; i++) {
        cleanup_free char *path = file_join(sources, folders[i]);
        cleanup_free char *name = file_join(TREE, folders[i]);
        status = archive_add_folder(archive, name, path, error);
    }
    return status;
}

static enum status add_exercise(struct archive *archive, const char *id, struct error *error) {
    struct homes homes;
    struct exercise_place place = {0};
    enum status status = homes_find(&homes, error);
    if (status != STATUS_OK)
        return status;
    status = exercise_locate(&homes, id, &place, error);
    homes_free(&homes);
    if (status == STATUS_OK && !place.reference)
        status = error_set(error, STATUS_INVALID,
                           "the reference of %s is not on this machine, and it grades nothing "
                           "without",
                           id);
    cleanup_free char *name = mem_printf(TREE "/exercises/%s", id);
    cleanup_free char *reference_name = mem_printf(TREE "/reference/%s", id);
    if (status == STATUS_OK)
        status = archive_add_folder(archive, name, place.directory, error);
    if (status == STATUS_OK)
        status = archive_add_folder(archive, reference_name, place.reference, error);
    exercise_place_free(&place);
    return status;
}

/* In a build folder the program's data is the tree of its sources; an installation has them below.
 */
static enum status find_sources(char **sources, struct error *error) {
    static const char *const places[] = {"", "source"};
    cleanup_free char *data = place_data();
    for (size_t i = 0; data && i < ARRAY_LENGTH(places); i++) {
        cleanup_free char *folder = file_join(data, places[i]);
        cleanup_free char *scripts = file_join(folder, SCRIPTS);
        if (file_exists(scripts)) {
            *sources = steal_pointer(&folder);
            return place_check(scripts, PLACE_FOUND, error);
        }
    }
    error_set(error, STATUS_ENVIRONMENT, "warpgrade's sources are not beside this program");
    error_hint(error, "The autograder carries them, and is built where it runs. Use a warpgrade "
                      "that is installed whole, or stands in the tree it was built from.");
    return STATUS_ENVIRONMENT;
}

enum status gradescope_write(const char *id, const struct gradescope_options *options,
                             const char *path, struct gradescope_bundle *bundle,
                             struct error *error) {
    struct archive *archive;
    cleanup_free char *sources = NULL;
    enum status status = find_sources(&sources, error);
    if (status == STATUS_OK)
        status = archive_open(path, &archive, error);
    if (status != STATUS_OK)
        return status;
    status = add_scripts(archive, sources, id, options, error);
    if (status == STATUS_OK)
        status = add_sources(archive, sources, error);
    if (status == STATUS_OK)
        status = add_exercise(archive, id, error);
    if (status == STATUS_OK)
        return archive_close(archive, &bundle->files, &bundle->bytes, error);
    archive_discard(archive);
    return status;
}
