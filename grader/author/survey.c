/* A mutant is compiled as a submission is, compared with what was compiled before it, and graded
 * until it has failed; what passes is graded on the candidates of other cases. */
#include "grader/author/survey.h"

#include "grader/grade/grade_private.h"
#include "grader/validate/candidates.h"
#include "sandbox/base/file.h"
#include "sandbox/base/hash.h"
#include "sandbox/base/memory.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A reference has no budget of instructions: one that no longer ends is stopped by the clock. */
enum { SOURCE_MAX = 1 << 20, REFERENCE_SECONDS = 2 };

struct surveyor {
    struct grade_session *session;
    struct exercise exercise; /* as the source is graded */
    const struct exercise *given;
    const struct grade_source *source;
    enum survey_role role;
    char *tuned; /* text of the tuned kernel, for mutants of the reference */
    size_t tuned_length;
    char *folder;                  /* where these stand */
    struct candidates *candidates; /* NULL until the first survivor */
    char **programs;               /* of the original and of mutants, as compile() has them */
    size_t program_count, program_capacity;
    struct error *error;
};

/* ---- programs -------------------------------------------------------------------------------- */

/* A whole program is a binary file: its hash stands for it. */
static char *program_of(const struct exercise *exercise, const struct build_result *build) {
    char hash[65];
    if (!exercise_has_host_code(exercise))
        return mutate_plain_ptx(build->ptx);
    struct sha256 sum = hash_bytes(build->ptx, build->ptx_length);
    hash_hex(&sum, hash);
    return mem_strdup(hash);
}

/* *ptx: what tells it from others; NULL where it does not compile. */
static enum status compile(const struct surveyor *surveyor, const char *text, char **ptx,
                           bool *warns) {
    struct grade_source source = *surveyor->source;
    struct exercise as_reference = surveyor->exercise;
    struct build_result build;
    *ptx = NULL;
    source.text = text;
    source.length = strlen(text);
    if (surveyor->role == SURVEY_REFERENCE) {
        struct build_request request = {.file_name = "reference.cu",
                                        .source = text,
                                        .source_length = source.length,
                                        .kernel = as_reference.reference.kernel,
                                        .headers = as_reference.headers,
                                        .header_count = as_reference.header_count};
        struct worker_limits limits = {.wall_seconds = 60};
        enum status status = build_compile(&request, &limits, &build, surveyor->error);
        if (status == STATUS_OK && build.compiled)
            *ptx = mutate_plain_ptx(build.ptx);
        if (status == STATUS_OK)
            build_result_free(&build);
        return status;
    }
    struct grade_kernel kernel;
    enum status status = grade_build(&surveyor->exercise, &source, &kernel, surveyor->error);
    if (status != STATUS_OK)
        return status;
    if (kernel.build.compiled && !kernel.message)
        *ptx = program_of(&surveyor->exercise, &kernel.build);
    for (size_t i = 0; i < kernel.build.diagnostic_count; i++)
        *warns |= kernel.build.diagnostics[i].severity == BUILD_WARNING;
    grade_kernel_free(&kernel);
    return STATUS_OK;
}

/* Was this program there before? It is now; takes the text. */
static bool is_known(struct surveyor *surveyor, char *ptx) {
    for (size_t i = 0; i < surveyor->program_count; i++)
        if (strcmp(surveyor->programs[i], ptx) == 0) {
            free(ptx);
            return true;
        }
    *mem_push(&surveyor->programs, &surveyor->program_count, &surveyor->program_capacity) = ptx;
    return false;
}

/* blockDim.x for blockDim.y, where blocks are square. */
static bool is_same_axis(const struct surveyor *surveyor, const struct mutation *mutation) {
    const struct exercise_launch *launch = surveyor->role == SURVEY_REFERENCE
                                               ? &surveyor->exercise.reference.launch
                                               : &surveyor->exercise.launch;
    return mutation->made_by == OPERATOR_axes && strncmp(mutation->change, "blockDim", 8) == 0 &&
           strcmp(expr_text(launch->block[0]), expr_text(launch->block[1])) == 0;
}

/* ---- grading --------------------------------------------------------------------------------- */

static bool has_failed(void *context, const struct report *best) {
    (void)context;
    return !best->passed || best->verdict != VERDICT_PASS;
}

static const struct report_case *worst_case(const struct report *report) {
    for (size_t i = 0; i < report->case_count; i++)
        if (report->cases[i].verdict == report->verdict)
            return &report->cases[i];
    return NULL;
}

static enum status grade(const struct surveyor *surveyor, const struct exercise *exercise,
                         const struct grade_source *source, struct survey_row *row) {
    struct report *report;
    enum status status = grade_until_enough(surveyor->session, exercise, source, has_failed, NULL,
                                            true, &report, surveyor->error);
    if (status != STATUS_OK)
        return status;
    row->verdict = report->verdict;
    row->passed = report->passed;
    row->outcome = has_failed(NULL, report) ? SURVEY_CAUGHT : SURVEY_SURVIVED;
    const struct report_case *worst = row->outcome == SURVEY_CAUGHT ? worst_case(report) : NULL;
    for (size_t i = 0; worst && i < worst->hazard_count && !row->has_hazard; i++) {
        row->has_hazard =
            worst->hazards[i].severity == SEVERITY_ERROR && report->verdict == VERDICT_HAZARD;
        row->hazard = worst->hazards[i].kind;
    }
    if (worst)
        row->found = mem_printf("%s in %s", verdict_infos[report->verdict].name, worst->name);
    report_free(report);
    return STATUS_OK;
}

/* The tuned kernel beside the reference that was changed. What makes the exercise impossible to
 * grade is noticed, too. */
static enum status grade_reference(const struct surveyor *surveyor, const char *text,
                                   struct survey_row *row) {
    struct exercise exercise = surveyor->exercise;
    cleanup_free char *file = file_join(surveyor->folder, "reference.cu");
    enum status status = file_write(file, text, strlen(text), surveyor->error);
    if (status != STATUS_OK)
        return status;
    exercise.reference.file = file;
    exercise.time_limit_seconds = REFERENCE_SECONDS;
    struct grade_source source = {
        .file = exercise.tuned.file, .text = surveyor->tuned, .length = surveyor->tuned_length};
    status = grade(surveyor, &exercise, &source, row);
    grade_forget(surveyor->session);
    unlink(file);
    if (status == STATUS_INVALID) {
        row->outcome = SURVEY_CAUGHT;
        row->verdict = VERDICT_INTERNAL_ERROR;
        row->found = mem_strdup("the exercise cannot be graded");
        status = STATUS_OK;
    }
    return status;
}

static enum status find_case(struct surveyor *surveyor, const struct grade_source *source,
                             struct survey_row *row) {
    enum status status = STATUS_OK;
    if (!surveyor->candidates)
        status = candidates_open(surveyor->session, surveyor->given, &surveyor->candidates,
                                 surveyor->error);
    return status == STATUS_OK
               ? candidates_find(surveyor->candidates, surveyor->session, &surveyor->exercise,
                                 source, &row->found, surveyor->error)
               : status;
}

static enum status survey_mutation(struct surveyor *surveyor, struct survey_row *row) {
    char *ptx;
    enum status status = compile(surveyor, row->mutation->text, &ptx, &row->warns);
    if (status != STATUS_OK || !ptx)
        return status;
    if (is_known(surveyor, ptx) || is_same_axis(surveyor, row->mutation)) {
        row->outcome = SURVEY_EQUAL;
        return STATUS_OK;
    }
    if (surveyor->role == SURVEY_REFERENCE)
        return grade_reference(surveyor, row->mutation->text, row);
    struct grade_source source = {.file = surveyor->source->file,
                                  .text = row->mutation->text,
                                  .length = strlen(row->mutation->text)};
    status = grade(surveyor, &surveyor->exercise, &source, row);
    return status == STATUS_OK && row->outcome == SURVEY_SURVIVED
               ? find_case(surveyor, &source, row)
               : status;
}

/* ---- the door -------------------------------------------------------------------------------- */

static enum status begin(struct surveyor *surveyor) {
    char *ptx;
    bool warns = false;
    struct survey_row row = {0};
    enum status status = compile(surveyor, surveyor->source->text, &ptx, &warns);
    if (status == STATUS_OK && !ptx)
        status =
            error_set(surveyor->error, STATUS_INVALID, "%s does not compile as a solution of %s",
                      surveyor->source->file, surveyor->given->id);
    if (status != STATUS_OK)
        return status;
    is_known(surveyor, ptx);
    if (surveyor->role == SURVEY_REFERENCE) {
        char template[] = "/tmp/warpgrade-survey-XXXXXX";
        if (!mkdtemp(template))
            return error_set(surveyor->error, STATUS_ENVIRONMENT, "no folder can be made in /tmp");
        surveyor->folder = mem_strdup(template);
        status = file_read(surveyor->exercise.tuned.file, SOURCE_MAX, &surveyor->tuned,
                           &surveyor->tuned_length, surveyor->error);
        if (status == STATUS_OK)
            status = grade_reference(surveyor, surveyor->source->text, &row);
    } else
        status = grade(surveyor, &surveyor->exercise, surveyor->source, &row);
    if (status == STATUS_OK && row.outcome != SURVEY_SURVIVED) {
        status = error_set(surveyor->error, STATUS_INVALID, "%s does not pass itself: %s",
                           surveyor->source->file, row.found ? row.found : "it is too slow");
        error_hint(surveyor->error, "Mutants are made of a solution that passes.");
    }
    free(row.found);
    return status;
}

static void end(struct surveyor *surveyor) {
    for (size_t i = 0; i < surveyor->program_count; i++)
        free(surveyor->programs[i]);
    free(surveyor->programs);
    free(surveyor->tuned);
    if (surveyor->folder)
        rmdir(surveyor->folder);
    free(surveyor->folder);
    candidates_free(surveyor->candidates);
}

enum status survey_run(struct grade_session *session, const struct exercise *exercise,
                       const struct grade_source *source, enum survey_role role,
                       struct survey *survey, struct error *error) {
    struct surveyor surveyor = {.session = session,
                                .exercise = *exercise,
                                .given = exercise,
                                .source = source,
                                .role = role,
                                .error = error};
    if (role != SURVEY_SUBMISSION) {
        surveyor.exercise.launch = exercise->tuned.launch;
        surveyor.exercise.kernel = exercise->tuned.kernel;
    }
    struct grade_options given = session->options;
    session->options.no_causes = true;
    session->options.progress = NULL;
    *survey = (struct survey){0};
    const char *kernel = role == SURVEY_REFERENCE           ? exercise->reference.kernel
                         : exercise_has_host_code(exercise) ? NULL
                                                            : surveyor.exercise.kernel;
    mutate(source->text, source->length, kernel, &survey->mutations);
    survey->rows = mem_calloc(survey->mutations.count + 1, sizeof *survey->rows);
    enum status status = begin(&surveyor);
    for (size_t i = 0; i < survey->mutations.count && status == STATUS_OK; i++) {
        survey->rows[i].mutation = &survey->mutations.items[i];
        status = survey_mutation(&surveyor, &survey->rows[i]);
        if (given.progress)
            given.progress(given.progress_context, i + 1, survey->mutations.count);
    }
    session->options = given;
    end(&surveyor);
    return status;
}

void survey_free(struct survey *survey) {
    for (size_t i = 0; i < survey->mutations.count && survey->rows; i++)
        free(survey->rows[i].found);
    free(survey->rows);
    mutations_free(&survey->mutations);
}
