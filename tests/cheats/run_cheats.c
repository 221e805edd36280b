/* Cheats: each must end with its verdict, or must have gained nothing over an honest kernel.
 *
 *     run_cheats sim|cuda|auto cheats.tsv [NAME]
 *
 * The times of a cheat and of its honest kernel are compared by their ratios to the tuned kernel,
 * each measured in a run of its own. 77 where there is no card and `sim` is not what was said. */
#include "grader/grade/grade_private.h"
#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"
#include "sandbox/program/worker_main.h"
#include "sandbox/worker/worker.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 5, FILE_MAX = 1 << 20, MAX_HONEST = 8, SKIPPED = 77 };
enum { CHEAT, EXERCISE, SIM, CUDA, HONEST };

#define SAME_TIME 0.95 /* of the honest kernel's ratio: two runs differ by less than 2 % */
#define SECONDS   2.0  /* of measuring; a twentieth is to be seen, not a hundredth */

struct gain {
    double points, ratio; /* of the speed case; ratio 0: not decided */
    enum verdict verdict;
};

static struct gain gain_of(const struct report *report) {
    struct gain gain = {.verdict = report->verdict, .points = report->score};
    for (size_t i = 0; i < report->case_count; i++)
        if (report->cases[i].time.present)
            gain.ratio = report->cases[i].time.ratio_to_reference;
    return gain;
}

static enum status grade_file(struct grade_session *session, const char *id, const char *path,
                              struct gain *gain, struct error *error) {
    struct exercise *exercise;
    struct report *report;
    struct grade_source source = {.file = path};
    cleanup_free char *text = NULL;
    enum status status = exercise_find(id, &exercise, error);
    if (status != STATUS_OK)
        return status;
    status = file_read(path, FILE_MAX, &text, &source.length, error);
    source.text = text;
    if (status == STATUS_OK)
        status = grade_submission(session, exercise, &source, &report, error);
    if (status == STATUS_OK) {
        *gain = gain_of(report);
        report_free(report);
    }
    exercise_free(exercise);
    return status;
}

/* Several cheats stand beside one honest kernel, which is graded once. */
struct kept {
    const char *path;
    struct gain gain;
};

static enum status grade_honest(struct grade_session *session, struct kept *kept,
                                char *const *cells, struct gain *gain, struct error *error) {
    size_t i = 0;
    while (i < MAX_HONEST && kept[i].path && strcmp(kept[i].path, cells[HONEST]) != 0)
        i++;
    if (i == MAX_HONEST)
        return error_set(error, STATUS_INVALID, "more than %d honest kernels", MAX_HONEST);
    enum status status = STATUS_OK;
    if (!kept[i].path)
        status = grade_file(session, cells[EXERCISE], cells[HONEST], &kept[i].gain, error);
    if (status == STATUS_OK)
        kept[i].path = cells[HONEST];
    *gain = kept[i].gain;
    return status;
}

static bool is_without_gain(const struct gain *cheat, const struct gain *honest) {
    bool is_slower = cheat->verdict != VERDICT_PASS || cheat->ratio >= SAME_TIME * honest->ratio;
    return cheat->points <= honest->points && is_slower;
}

/* One row; false where the cheat pays, or could not be graded. */
static bool try_cheat(struct grade_session *session, struct kept *kept, char *const *cells,
                      const char *folder, const char *expected) {
    struct error error = {0};
    struct gain cheat,
        honest = {.points = INFINITY}; /* where there is none, only the verdict counts */
    cleanup_free char *path = file_join(folder, cells[CHEAT]);
    bool compared = strcmp(cells[HONEST], "-") != 0;
    enum status status = grade_file(session, cells[EXERCISE], path, &cheat, &error);
    if (status == STATUS_OK && compared)
        status = grade_honest(session, kept, cells, &honest, &error);
    if (status != STATUS_OK) {
        printf("FAILED  %-27s %s\n", cells[CHEAT], error.message);
        return false;
    }
    const char *verdict = verdict_infos[cheat.verdict].name;
    bool holds = strcmp(verdict, expected) == 0 && is_without_gain(&cheat, &honest);
    printf("%s  %-27s %-13s %6.2f points", holds ? "ok    " : "FAILED", cells[CHEAT], verdict,
           cheat.points);
    if (cheat.ratio > 0)
        printf(", %.3f times the tuned kernel", cheat.ratio);
    if (compared)
        printf("; honest: %.2f points, %.3f times", honest.points, honest.ratio);
    if (strcmp(verdict, expected) != 0)
        printf("; %s was expected", expected);
    printf("\n");
    fflush(stdout);
    return holds;
}

static bool split(char *line, char *cells[COLUMNS]) {
    for (unsigned i = 0; i < COLUMNS; i++)
        if (!(cells[i] = strsep(&line, "\t")))
            return false;
    return !line;
}

/* Both engines together find what either finds. */
static const char *expected_of(char *const *cells, enum grade_engine engine) {
    bool simulated = engine == GRADE_ENGINE_SIM ||
                     (engine == GRADE_ENGINE_AUTO && strcmp(cells[SIM], "pass") != 0);
    return cells[simulated ? SIM : CUDA];
}

static int run_table(struct grade_session *session, enum grade_engine engine, const char *table,
                     const char *only) {
    struct error error = {0};
    size_t length, tried = 0, failed = 0;
    cleanup_free char *text = NULL;
    cleanup_free char *folder = mem_strndup(table, (size_t)(file_base_name(table) - table));
    if (file_read(table, FILE_MAX, &text, &length, &error) != STATUS_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 2;
    }
    char *rest = text;
    struct kept kept[MAX_HONEST] = {0};
    for (char *line; (line = strsep(&rest, "\n"));) {
        char *cells[COLUMNS];
        if (*line == '#' || !*line)
            continue;
        if (!split(line, cells)) {
            fprintf(stderr, "%s: a row has %d columns\n", table, COLUMNS);
            return 2;
        }
        if (only && !strstr(cells[CHEAT], only))
            continue;
        tried++;
        failed += !try_cheat(session, kept, cells, folder, expected_of(cells, engine));
    }
    printf("%zu of %zu cheats gain nothing\n", tried - failed, tried);
    return failed || !tried;
}

int main(int argc, char **argv) {
    int code;
    if (worker_main(argc, argv, &code))
        return code;
    if (argc < 3) {
        fprintf(stderr, "usage: %s sim|cuda|auto cheats.tsv [NAME]\n", argv[0]);
        return 2;
    }
    struct grade_options options = {.has_seed = true, .seed = 20260711};
    struct grade_session *session;
    struct error error = {0};
    if (!grade_engine_from_name(argv[1], &options.engine))
        return 2;
    enum status status = grade_open(&options, &session, &error);
    if (status != STATUS_OK) {
        fprintf(stderr, "%s\n", error.message);
        return options.engine == GRADE_ENGINE_CUDA && status == STATUS_ENVIRONMENT ? SKIPPED : 2;
    }
    grade_measure_shortly(session, SECONDS, 0);
    bool without_card = options.engine != GRADE_ENGINE_SIM && !grade_card_count(session);
    if (without_card)
        fprintf(stderr, "no card\n");
    code = without_card ? SKIPPED
                        : run_table(session, options.engine, argv[2], argc > 3 ? argv[3] : NULL);
    grade_close(session);
    return code;
}
