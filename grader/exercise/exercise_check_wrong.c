/* Whether the wrong code of an exercise is described well: mutants with a file and a verdict that
 * wrong code can get, the skeleton's verdict where one is named, and hints for verdicts and hazards
 * that a case can end with. That they do get them is for `warpgrade validate`. */
#include "grader/exercise/exercise_check.h"

#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"
#include "sandbox/base/verdict.h"

#include <dirent.h>
#include <string.h>

const struct cause_info cause_infos[CAUSE_COUNT] = {
    {NULL, NULL, NULL},
#define CAUSE(ID, name, en, zh) {name, en, zh},
#include "grader/exercise/cause.def"
#undef CAUSE
};

static enum status check_verdict(const struct check *check, const struct yaml_node *node,
                                 enum verdict verdict, bool has_hazard, enum hazard_kind kind,
                                 bool wrong_code) {
    const struct yaml_node *hazard = yaml_get(node, "hazard");
    const char *own = verdict_infos[verdict_of_hazard(kind)].name;
    if (has_hazard && verdict_of_hazard(kind) != VERDICT_HAZARD) {
        enum status status =
            FAIL(check, hazard, "%s ends a case with the verdict %s, not with hazard",
                 hazard_infos[kind].name, own);
        error_hint(check->error, "write verdict: %s, without the key hazard", own);
        return status;
    }
    if (has_hazard && verdict != VERDICT_HAZARD)
        return FAIL(check, hazard, "the key hazard goes with the verdict hazard only");
    if (wrong_code && (verdict == VERDICT_PASS || verdict == VERDICT_SKIPPED ||
                       verdict == VERDICT_INTERNAL_ERROR))
        return FAIL(check, yaml_get(node, "verdict"), "wrong code cannot be meant to end with %s",
                    verdict_infos[verdict].name);
    if (wrong_code && verdict == VERDICT_HAZARD && !has_hazard)
        return FAIL(check, node, "the verdict hazard needs the key hazard");
    return STATUS_OK;
}

static enum status check_mutant(const struct check *check, const struct yaml_node *node,
                                size_t index) {
    const struct exercise_mutant *mutant = &check->exercise->mutants[index];
    const struct yaml_node *file = yaml_get(node, "file");
    const char *base = file_base_name(file->text), *suffix = strrchr(base, '.');
    if (strncmp(file->text, "mutants/", 8) != 0 || base != file->text + 8 || !suffix ||
        suffix == base || strcmp(suffix, ".cu") != 0)
        return FAIL(check, file, "expected mutants/<name>.cu, found %s", file->text);
    for (size_t i = 0; i < index; i++)
        if (strcmp(check->exercise->mutants[i].name, mutant->name) == 0)
            return FAIL(check, file, "the mutant %s is listed twice", mutant->name);
    if (!file_exists(mutant->file))
        return FAIL(check, file, "there is no file %s", mutant->file);
    if (mutant->cause != CAUSE_NONE && mutant->verdict != VERDICT_WRONG_ANSWER &&
        mutant->verdict != VERDICT_NONDETERMINISTIC)
        return FAIL(check, yaml_get(node, "cause"),
                    "the key cause goes with the verdicts wrong-answer and nondeterministic only");
    return check_verdict(check, node, mutant->verdict, mutant->has_hazard, mutant->hazard, true);
}

/* A file in mutants/ that no row names would never be tried. */
static enum status check_stray_mutants(const struct check *check) {
    cleanup_free char *folder = file_join(check->exercise->directory, "mutants");
    DIR *directory = opendir(folder);
    if (!directory)
        return STATUS_OK; /* each listed file was found missing before */
    cleanup_free char *stray = NULL;
    for (struct dirent *entry; !stray && (entry = readdir(directory));) {
        size_t length = strlen(entry->d_name);
        bool listed = length < 3 || strcmp(entry->d_name + length - 3, ".cu") != 0;
        for (size_t i = 0; !listed && i < check->exercise->mutant_count; i++)
            listed = strcmp(file_base_name(check->exercise->mutants[i].file), entry->d_name) == 0;
        if (!listed)
            stray = mem_strdup(entry->d_name);
    }
    closedir(directory);
    return stray ? FAIL(check, root_get(check, "mutants"), "mutants/%.200s is not listed", stray)
                 : STATUS_OK;
}

static enum status check_mutants(const struct check *check) {
    const struct yaml_node *list = root_get(check, "mutants");
    for (size_t i = 0; i < check->exercise->mutant_count; i++) {
        enum status status = check_mutant(check, list->items[i], i);
        if (status != STATUS_OK)
            return status;
    }
    return check_stray_mutants(check);
}

static enum status check_skeleton(const struct check *check) {
    const struct yaml_node *node = root_get(check, "skeleton");
    const struct exercise_mutant *own = &check->exercise->untouched;
    return node ? check_verdict(check, node, own->verdict, own->has_hazard, own->hazard, true)
                : STATUS_OK;
}

static enum status check_hints(const struct check *check) {
    const struct yaml_node *list = root_get(check, "hints");
    for (size_t i = 0; i < check->exercise->hint_count; i++) {
        const struct exercise_hint *hint = &check->exercise->hints[i];
        enum status status = check_verdict(check, list->items[i], hint->verdict, hint->has_hazard,
                                           hint->hazard, false);
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}

enum status exercise_check_wrong_code(const struct yaml_document *document,
                                      const struct exercise *exercise, struct error *error) {
    const struct check check = {document, exercise, error};
    enum status status = check_mutants(&check);
    if (status == STATUS_OK)
        status = check_skeleton(&check);
    return status == STATUS_OK ? check_hints(&check) : status;
}
