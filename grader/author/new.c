/* Files are written, then loaded as any exercise is, so that mutants are judged by what stands
 * there. The first exercise.yaml names one mutant, the untouched skeleton, because a file has to
 * name one. */
#include "grader/author/new.h"

#include "grader/author/survey.h"
#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_OF_AN_OPERATOR = 2, FEWEST = 6 };

static const char only_skeleton[] = "  - file: mutants/nothing.cu\n"
                                    "    description: nothing is written\n"
                                    "    verdict: wrong-answer\n";

struct folders {
    char *exercise, *mutants, *reference;
};

static enum status write_in(const char *folder, const char *name, const struct text *text,
                            struct error *error) {
    cleanup_free char *path = file_join(folder, name);
    return file_write(path, text_string(text), text->length, error);
}

static enum status make_new_folder(const char *path, struct error *error) {
    if (file_exists(path)) {
        error_set(error, STATUS_INVALID, "%s is there already", path);
        error_hint(error,
                   "An exercise is never overwritten: choose another ID, or remove the folder.");
        return STATUS_INVALID;
    }
    return file_make_directories(path, error);
}

static enum status write_yaml(const struct draft *draft, const struct folders *folders,
                              const char *mutants, struct error *error) {
    cleanup_text struct text yaml = {0};
    draft_write_yaml(draft, mutants, &yaml);
    return write_in(folders->exercise, "exercise.yaml", &yaml, error);
}

static enum status write_files(struct draft *draft, const struct folders *folders,
                               struct error *error) {
    cleanup_text struct text statement = {0}, skeleton = {0}, reference = {0}, tuned = {0};
    draft_write_statement(draft, &statement);
    draft_write_skeleton(draft, &skeleton);
    text_append_bytes(&tuned, draft->source, draft->length);
    enum status status = draft_write_reference(draft, &reference, error);
    if (status == STATUS_OK)
        status = write_in(folders->exercise, "statement.md", &statement, error);
    if (status == STATUS_OK)
        status = write_in(folders->exercise, "skeleton.cu", &skeleton, error);
    if (status == STATUS_OK)
        status = write_in(folders->mutants, "nothing.cu", &skeleton, error);
    if (status == STATUS_OK)
        status = write_in(folders->reference, "reference.cu", &reference, error);
    if (status == STATUS_OK)
        status = write_in(folders->reference, "tuned.cu", &tuned, error);
    return status == STATUS_OK ? write_yaml(draft, folders, only_skeleton, error) : status;
}

/* ---- mutants --------------------------------------------------------------------------------- */

static enum status write_mutant(const struct folders *folders, const struct survey_row *row,
                                unsigned number, struct text *yaml, struct error *error) {
    const struct mutation *mutation = row->mutation;
    const struct mutation_operator_info *made_by = &mutation_operators[mutation->made_by];
    cleanup_text struct text source = {0};
    cleanup_free char *name = mem_printf(number ? "%s-%u.cu" : "%s.cu", made_by->name, number + 1);
    text_append(&source, mutation->text);
    text_printf(yaml, "  - file: mutants/%s\n    description: \"%s\"\n    verdict: %s\n", name,
                made_by->description, verdict_infos[row->verdict].name);
    if (row->has_hazard)
        text_printf(yaml, "    hazard: %s\n", hazard_infos[row->hazard].name);
    return write_in(folders->mutants, name, &source, error);
}

static bool is_wanted(const struct survey_row *row) {
    static const enum verdict wanted[] = {VERDICT_WRONG_ANSWER, VERDICT_HAZARD,
                                          VERDICT_NONDETERMINISTIC};
    bool is_soon_known = false; /* what runs into a limit takes long, each time */
    for (size_t i = 0; i < ARRAY_LENGTH(wanted); i++)
        is_soon_known |= row->verdict == wanted[i];
    return row->outcome == SURVEY_CAUGHT && !row->warns && !row->passed && is_soon_known;
}

static void count_rows(const struct survey *survey, struct new_mutants *mutants) {
    for (size_t i = 0; i < survey->mutations.count; i++) {
        const struct survey_row *row = &survey->rows[i];
        mutants->made++;
        mutants->not_compiled += row->outcome == SURVEY_NO_COMPILE;
        mutants->equal += row->outcome == SURVEY_EQUAL;
        mutants->survived += row->outcome == SURVEY_SURVIVED;
        mutants->warned += row->outcome == SURVEY_CAUGHT && row->warns;
    }
}

static void note_survivors(struct draft *draft, const struct survey *survey) {
    for (size_t i = 0; i < survey->mutations.count; i++) {
        const struct survey_row *row = &survey->rows[i];
        if (row->outcome == SURVEY_SURVIVED)
            text_printf(&draft->notes, "exercise.yaml: no case catches line %u, %s%s%s\n",
                        row->mutation->line, row->mutation->change,
                        row->found ? "; this one would: " : "", row->found ? row->found : "");
    }
}

static enum status choose_mutants(struct draft *draft, const struct folders *folders,
                                  const struct survey *survey, struct new_mutants *mutants,
                                  struct error *error) {
    cleanup_text struct text yaml = {0};
    unsigned of_operator[OPERATOR_COUNT] = {0};
    enum status status = STATUS_OK;
    for (size_t i = 0; i < survey->mutations.count && status == STATUS_OK; i++) {
        const struct survey_row *row = &survey->rows[i];
        unsigned *number = &of_operator[row->mutation->made_by];
        if (!is_wanted(row) || *number == MOST_OF_AN_OPERATOR)
            continue;
        status = write_mutant(folders, row, (*number)++, &yaml, error);
        mutants->kept++;
    }
    count_rows(survey, mutants);
    note_survivors(draft, survey);
    if (mutants->kept == 0 || status != STATUS_OK)
        return status;
    cleanup_free char *nothing = file_join(folders->mutants, "nothing.cu");
    unlink(nothing);
    return write_yaml(draft, folders, text_string(&yaml), error);
}

static enum status make_mutants(struct grade_session *session, struct draft *draft,
                                const struct folders *folders, struct new_mutants *mutants,
                                struct error *error) {
    struct exercise *exercise;
    struct survey survey;
    enum status status = exercise_load(folders->exercise, folders->reference, &exercise, error);
    if (status != STATUS_OK)
        return status;
    const struct grade_source source = {
        .file = exercise->tuned.file, .text = draft->source, .length = draft->length};
    struct error cause = {0};
    status = survey_run(session, exercise, &source, SURVEY_TUNED, &survey, &cause);
    if (status == STATUS_OK)
        status = choose_mutants(draft, folders, &survey, mutants, error);
    else if (status == STATUS_INVALID) { /* the author's files are there, without mutants */
        text_printf(&draft->notes, "mutants: none, because the kernel itself fails (%s)\n",
                    cause.message);
        status = STATUS_OK;
    } else if (error)
        *error = cause;
    survey_free(&survey);
    exercise_free(exercise);
    return status;
}

/* ---- the door -------------------------------------------------------------------------------- */

static void note_rest(struct draft *draft, const struct new_mutants *mutants) {
    text_append(
        &draft->notes,
        draft->has_reference
            ? "reference.cu: it is the kernel in double and repeats its mistakes; write the "
              "plainest code that can be right\n"
            : "reference.cu: write the plainest code that can be right; it is empty, because "
              "the kernel in double does not compile\n");
    for (size_t i = 0; i < draft->param_count; i++) {
        const struct draft_param *param = &draft->params[i];
        bool is_output = param->role == ROLE_OUT || param->role == ROLE_INOUT;
        if (is_output && element_infos[param->type].is_float)
            text_printf(&draft->notes, "exercise.yaml: the tolerance of %s is a guess\n",
                        param->name);
        if (param->role == ROLE_IN && !element_infos[param->type].is_float)
            text_printf(&draft->notes, "exercise.yaml: the data of %s is a guess\n", param->name);
    }
    text_append(&draft->notes, "exercise.yaml: title, topics, hints, and `speed` where it counts\n"
                               "statement.md: the idea, and what is computed\n"
                               "statement.zh.md and `zh` of the title: where a course speaks "
                               "Chinese\n");
    if (mutants->kept && mutants->kept < FEWEST)
        text_printf(&draft->notes, "mutants: %zu of at least %d\n", mutants->kept, FEWEST);
}

enum status new_exercise(struct grade_session *session, struct draft *draft, const char *folder,
                         struct new_mutants *mutants, struct error *error) {
    cleanup_free char *in_exercises = mem_printf("%s/exercises/%s", folder, draft->id);
    cleanup_free char *in_mutants = mem_printf("%s/mutants", in_exercises);
    cleanup_free char *in_reference = mem_printf("%s/reference/%s", folder, draft->id);
    const struct folders folders = {in_exercises, in_mutants, in_reference};
    *mutants = (struct new_mutants){0};
    enum status status = make_new_folder(in_exercises, error);
    if (status == STATUS_OK)
        status = make_new_folder(in_reference, error);
    if (status == STATUS_OK)
        status = file_make_directories(in_mutants, error);
    if (status == STATUS_OK)
        status = write_files(draft, &folders, error);
    if (status == STATUS_OK)
        status = make_mutants(session, draft, &folders, mutants, error);
    if (status == STATUS_OK)
        note_rest(draft, mutants);
    return status;
}
