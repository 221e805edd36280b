/* One grade, with and without a card? Every right kernel of the catalogue (the tuned ones, slow
 * mutants, samples, and what a student writes who follows the statement) is graded by the simulated
 * GPU alone and with a card beside it, and verdicts and points for speed are compared.
 *
 *     gpu_agreement [--write FILE] [--kind kernel|host] [EXERCISE ...]
 *     gpu_agreement --recorded FILE [--kind kernel|host] [EXERCISE ...]
 *
 * --kind leaves out exercises of the other kind, with or without host code; --write keeps what the
 * card said, a row a kernel that it timed; --recorded compares with such a file, and needs no card:
 * the ratio to the tuned kernel's time is all that a card decides by itself, so that the thresholds
 * of today decide anew. Kernels that differ are named; the reasons stand in tests/gpu/README.md.
 * What the statement asks for (plain/) has all points, or a tier is wrong. 1 below the bars; 77
 * without a card. */
#include "grader/exercise/threshold.h"
#include "grader/grade/grade_private.h"
#include "sandbox/base/clock.h"
#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"
#include "sandbox/program/worker_main.h"
#include "sandbox/worker/worker.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FILE_MAX = 1 << 20, SKIPPED = 77, AT_A_TIME = 10, ROUNDS = 4 };
#define SAME_POINTS  0.95
#define SAME_VERDICT 0.99
#define SECONDS      0.1
#define SAMPLES      "tests/samples"
#define PLAIN        "tests/gpu/plain"

/* What one grade said of a kernel; `why` where that is no speed. */
struct said {
    enum verdict verdict;
    bool timed;
    double points, most, ratio, low, high, seconds;
    uint64_t blocks, simulated;
    char why[160];
};

struct kernel {
    char *id, *name, *file;
    bool tuned;   /* launched as the tuned kernel is */
    bool plain;   /* what the statement asks for: expected to have all points */
    bool unknown; /* the file of a card's ratios has no such row */
    struct said simulated, carded;
};

struct survey {
    struct kernel *kernels;
    size_t count, capacity;
    size_t next; /* to simulate */
    pthread_mutex_t mutex;
    const char *kind;                             /* "kernel", "host": of host code; NULL: both */
    struct grade_session *simulating, *measuring; /* the latter NULL: what was recorded decides */
    char *recorded;
};

/* ---- the kernels ----------------------------------------------------------------------------- */

static struct kernel *add(struct survey *survey, const char *id, char *name, char *file) {
    struct kernel *kernel = mem_push(&survey->kernels, &survey->count, &survey->capacity);
    *kernel = (struct kernel){.id = mem_strdup(id), .name = name, .file = file};
    return kernel;
}

/* What a good student writes after reading the statement: neither tuned nor slow. */
static void add_plain(struct survey *survey, const char *id) {
    char *file = mem_printf(PLAIN "/%s.cu", id);
    if (access(file, R_OK) == 0)
        add(survey, id, mem_strdup("plain"), file)->plain = true;
    else
        free(file);
}

static bool is_among(const char *id, char **ids, size_t count) {
    bool found = false;
    for (size_t i = 0; i < count && !found; i++)
        found = strcmp(ids[i], id) == 0;
    return found;
}

static void add_exercise(struct survey *survey, const struct exercise *exercise) {
    const char *id = exercise->id;
    /* Each round of host code takes a second: of what the ratio of two equal ones is, nothing is
     * learned. */
    if (exercise->threshold_count && exercise->kind == EXERCISE_KERNEL)
        add(survey, id, mem_strdup("tuned"), mem_strdup(exercise->tuned.file))->tuned = true;
    add_plain(survey, id);
    for (size_t i = 0; i < exercise->mutant_count; i++)
        if (exercise->mutants[i].verdict == VERDICT_TOO_SLOW)
            add(survey, id, mem_strdup(exercise->mutants[i].name),
                mem_strdup(exercise->mutants[i].file));
}

/* Those that reach the speed case. */
static enum status add_samples(struct survey *survey, char **ids, size_t count,
                               struct error *error) {
    cleanup_free char *text = NULL;
    size_t length;
    enum status status = file_read(SAMPLES "/expected.tsv", FILE_MAX, &text, &length, error);
    char *rest = text;
    for (char *line; status == STATUS_OK && (line = strtok_r(rest, "\n", &rest));) {
        char file[120], id[60], verdict[40];
        if (*line == '#' || sscanf(line, "%119s %59s %*s %39s", file, id, verdict) != 3)
            continue;
        bool right = strcmp(verdict, "pass") == 0 || strcmp(verdict, "too-slow") == 0;
        if (!right || !is_among(id, ids, count))
            continue;
        const char *name = strrchr(file, '/') + 1;
        add(survey, id, mem_printf("sample %s", name), mem_printf(SAMPLES "/%s", file))->plain =
            strcmp(name, "good.cu") == 0;
    }
    return status;
}

/* Is this exercise of the kind that is asked for? Its kernels then participate. */
static enum status add_of_kind(struct survey *survey, const char *id, bool *is_of_kind,
                               struct error *error) {
    struct exercise *exercise;
    enum status status = exercise_find(id, &exercise, error);
    if (status != STATUS_OK)
        return status;
    bool is_kernel = exercise->kind == EXERCISE_KERNEL;
    *is_of_kind = !survey->kind || is_kernel == (strcmp(survey->kind, "kernel") == 0);
    if (*is_of_kind)
        add_exercise(survey, exercise);
    exercise_free(exercise);
    return STATUS_OK;
}

static enum status add_all(struct survey *survey, char **chosen, size_t count,
                           struct error *error) {
    char **ids;
    size_t id_count, kept = 0;
    enum status status = exercise_ids(&ids, &id_count, error);
    if (status != STATUS_OK)
        return status;
    for (size_t i = 0; i < id_count; i++) {
        bool keeps = false;
        if (status == STATUS_OK && (count == 0 || is_among(ids[i], chosen, count)))
            status = add_of_kind(survey, ids[i], &keeps, error);
        if (keeps)
            ids[kept++] = ids[i];
        else
            free(ids[i]);
    }
    if (status == STATUS_OK)
        status = add_samples(survey, ids, kept, error);
    for (size_t i = 0; i < kept; i++)
        free(ids[i]);
    free(ids);
    return status;
}

/* ---- grading --------------------------------------------------------------------------------- */

static const struct report_case *speed_case(const struct report *report) {
    return &report->cases[report->case_count - 1];
}

static void note(const struct report *report, bool measured, struct said *said) {
    const struct report_case *last = speed_case(report);
    said->verdict = report->verdict;
    said->points = last->score;
    said->most = last->max_score;
    said->timed = measured ? last->speed.measured.ratio_to_tuned.present : last->time.present;
    said->ratio = last->time.ratio_to_reference;
    said->blocks = last->speed.blocks;
    said->simulated = last->speed.blocks_simulated;
    if (measured) {
        said->low = last->speed.measured.ratio_to_tuned.low;
        said->high = last->speed.measured.ratio_to_tuned.high;
    }
    const struct report_case *told = last;
    for (size_t i = 0; i < report->case_count && !said->timed; i++)
        if (report->cases[i].verdict == report->verdict)
            told = &report->cases[i];
    snprintf(said->why, sizeof said->why, "%.150s", told->message ? told->message : "");
}

/* What the thresholds of a simulated grade say where a card says this ratio. */
static void decide_anew(const struct exercise *exercise, const struct report_case *the_case,
                        struct said *card) {
    const struct report_speed *simulated = &the_case->speed;
    struct report_measured measured = {
        .present = true, .ratio_to_tuned = {true, card->ratio, card->low, card->high}};
    struct threshold_facts facts = {.measured = &measured};
    struct report_speed speed = {
        .threshold_count = simulated->threshold_count,
        .thresholds = mem_calloc(simulated->threshold_count, sizeof *speed.thresholds)};
    for (size_t i = 0; i < speed.threshold_count; i++) {
        const struct report_threshold *said = &simulated->thresholds[i];
        speed.thresholds[i] = (struct report_threshold){
            .state = said->state, .score = said->score, .max_score = said->max_score};
        if (said->modelled)
            threshold_decide(&exercise->thresholds[i], &facts, LANGUAGE_EN, &speed.thresholds[i]);
    }
    threshold_points(&speed, &card->points, &card->most);
    card->verdict = threshold_verdict(&speed);
    report_speed_free(&speed);
}

static enum verdict find_verdict(const char *name) {
    unsigned i = 0;
    while (i < VERDICT_COUNT && strcmp(verdict_infos[i].name, name) != 0)
        i++;
    return i < VERDICT_COUNT ? (enum verdict)i : VERDICT_INTERNAL_ERROR;
}

/* What the file says of the kernel's ratio, and what follows from it. */
static void recall(const struct survey *survey, const struct exercise *exercise,
                   const struct report *report, struct kernel *kernel) {
    struct said *said = &kernel->carded;
    cleanup_free char *key = mem_printf("\n%s\t%s\t", kernel->id, kernel->name);
    const char *row = strstr(survey->recorded, key);
    char verdict[40];
    if (!row || sscanf(row + strlen(key), "%39s %lf %lf %lf", verdict, &said->ratio, &said->low,
                       &said->high) != 4) {
        snprintf(said->why, sizeof said->why, "not recorded");
        kernel->unknown = true;
        return;
    }
    said->timed = said->ratio > 0;
    said->verdict = find_verdict(verdict);
    if (said->timed && kernel->simulated.timed)
        decide_anew(exercise, speed_case(report), said);
}

static void grade(const struct survey *survey, struct grade_session *session, struct kernel *kernel,
                  struct said *said) {
    struct error error = {0};
    struct exercise *exercise;
    struct report *report = NULL;
    struct grade_source source = {.file = kernel->file};
    cleanup_free char *text = NULL;
    double start = clock_ms();
    enum status status = exercise_find(kernel->id, &exercise, &error);
    if (status != STATUS_OK) {
        snprintf(said->why, sizeof said->why, "%.150s", error.message);
        return;
    }
    struct exercise launched = *exercise;
    if (kernel->tuned) {
        launched.launch = exercise->tuned.launch;
        launched.kernel = exercise->tuned.kernel;
    }
    status = file_read(source.file, FILE_MAX, &text, &source.length, &error);
    source.text = text;
    if (status == STATUS_OK)
        status = grade_submission(session, &launched, &source, &report, &error);
    if (status == STATUS_OK) {
        note(report, session == survey->measuring, said);
        if (survey->recorded)
            recall(survey, exercise, report, kernel);
        report_free(report);
    } else {
        said->verdict = VERDICT_INTERNAL_ERROR;
        snprintf(said->why, sizeof said->why, "%.150s", error.message);
    }
    said->seconds = (clock_ms() - start) / 1000;
    exercise_free(exercise);
}

static bool same(double a, double b) {
    return a - b < 1e-9 && b - a < 1e-9;
}

static bool falls_short(const struct kernel *kernel) {
    const struct said *sim = &kernel->simulated, *card = &kernel->carded;
    return kernel->plain &&
           (sim->points < sim->most || !sim->timed || (card->timed && card->points < card->most));
}

static void print(const struct kernel *kernel) {
    const struct said *sim = &kernel->simulated, *card = &kernel->carded;
    bool verdicts = sim->verdict == card->verdict, points = same(sim->points, card->points);
    printf("%-22s %-30s %7.3f %7.3f  %5.1f %5.1f  %-10s %-10s %s", kernel->id, kernel->name,
           sim->ratio, card->ratio, sim->points, card->points, verdict_infos[sim->verdict].name,
           verdict_infos[card->verdict].name,
           kernel->unknown ? ""
           : !verdicts     ? "DIFFERS in the verdict"
           : !points       ? "DIFFERS in points"
                           : "");
    if (falls_short(kernel))
        printf("  SHORT of %.0f points", sim->most);
    if (!sim->timed && *sim->why)
        printf("  sim: %s", sim->why);
    if (!card->timed && *card->why)
        printf("  card: %s", card->why);
    printf("  %" PRIu64 " of %" PRIu64 " blocks, %.1f s, %.1f s\n", sim->simulated, sim->blocks,
           sim->seconds, card->seconds);
    fflush(stdout);
}

/* Kernels are compiled and simulated beside each other; a card measures one at a time. */
static void *grade_next(void *context) {
    struct survey *survey = context;
    for (;;) {
        pthread_mutex_lock(&survey->mutex);
        size_t i = survey->next++;
        pthread_mutex_unlock(&survey->mutex);
        if (i >= survey->count)
            return NULL;
        struct kernel *kernel = &survey->kernels[i];
        grade(survey, survey->simulating, kernel, &kernel->simulated);
        if (survey->measuring)
            grade(survey, survey->measuring, kernel, &kernel->carded);
        pthread_mutex_lock(&survey->mutex);
        print(kernel);
        pthread_mutex_unlock(&survey->mutex);
    }
}

static void grade_all(struct survey *survey) {
    pthread_t threads[AT_A_TIME];
    size_t started = 0;
    long cpus = sysconf(_SC_NPROCESSORS_ONLN);
    printf("%-22s %-30s %15s  %11s  %s\n", "exercise", "kernel", "ratio sim, card", "points",
           "verdict");
    while (started < AT_A_TIME && (long)started + 1 < cpus &&
           pthread_create(&threads[started], NULL, grade_next, survey) == 0)
        started++;
    grade_next(survey);
    for (size_t i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
}

/* ---- what came of it ------------------------------------------------------------------------- */

static int conclude(const struct survey *survey) {
    size_t points = 0, verdicts = 0, near = 0, timed = 0, unknown = 0, shorts = 0;
    for (size_t i = 0; i < survey->count; i++) {
        const struct kernel *kernel = &survey->kernels[i];
        const struct said *sim = &kernel->simulated, *card = &kernel->carded;
        shorts += falls_short(kernel);
        unknown += kernel->unknown;
        if (kernel->unknown)
            continue;
        points += same(sim->points, card->points);
        verdicts += sim->verdict == card->verdict;
        if (!sim->timed || !card->timed)
            continue;
        timed++;
        near += sim->ratio <= 1.25 * card->ratio && sim->ratio >= 0.75 * card->ratio;
    }
    size_t count = survey->count - unknown;
    double all = count ? (double)count : 1;
    printf("%zu kernels: the same points for speed with and without a card for %.1f %% (%zu), the "
           "same verdict for %.1f %% (%zu); %zu of %zu ratios within 25 %%\n",
           count, 100 * (double)points / all, points, 100 * (double)verdicts / all, verdicts, near,
           timed);
    if (unknown)
        printf("%zu kernels are not in the file of a card's ratios\n", unknown);
    if (shorts)
        printf("MISSED: %zu kernels as the statement asks for are short of full points\n", shorts);
    bool held = (double)points >= SAME_POINTS * all && (double)verdicts >= SAME_VERDICT * all;
    if (!held)
        printf("MISSED: the bars are %.0f %% and %.0f %%\n", 100 * SAME_POINTS, 100 * SAME_VERDICT);
    return !held || shorts || !survey->count;
}

static enum status write_file(const struct survey *survey, const char *path, struct error *error) {
    struct text text = {0};
    text_append(&text, "# What a card said of each kernel: tests/gpu/agreement.c\n"
                       "# exercise\tkernel\tverdict\tratio to tuned\tlow\thigh\n");
    for (size_t i = 0; i < survey->count; i++) {
        const struct kernel *kernel = &survey->kernels[i];
        const struct said *card = &kernel->carded;
        if (card->timed)
            text_printf(&text, "%s\t%s\t%s\t%.4f\t%.4f\t%.4f\n", kernel->id, kernel->name,
                        verdict_infos[card->verdict].name, card->ratio, card->low, card->high);
    }
    enum status status = file_write(path, text_string(&text), text.length, error);
    text_free(&text);
    return status;
}

struct request {
    const char *write, *recorded, *kind;
    char **chosen;
    size_t chosen_count;
};

static bool parse(int argc, char **argv, struct request *request) {
    int first = 1;
    for (; first + 1 < argc && strncmp(argv[first], "--", 2) == 0; first += 2)
        if (strcmp(argv[first], "--write") == 0)
            request->write = argv[first + 1];
        else if (strcmp(argv[first], "--recorded") == 0)
            request->recorded = argv[first + 1];
        else if (strcmp(argv[first], "--kind") == 0)
            request->kind = argv[first + 1];
        else
            return false;
    request->chosen = argv + first;
    request->chosen_count = (size_t)(argc - first);
    return !(request->write && request->recorded) &&
           (first >= argc || strncmp(argv[first], "--", 2) != 0);
}

static enum status open_sessions(struct survey *survey, const struct request *request,
                                 struct error *error) {
    struct grade_options options = {
        .engine = GRADE_ENGINE_SIM, .has_seed = true, .seed = 1, .threads = 1, .jobs = 1};
    enum status status = grade_open(&options, &survey->simulating, error);
    options = (struct grade_options){
        .engine = GRADE_ENGINE_AUTO, .has_seed = true, .seed = 1, .cases = "speed"};
    if (status == STATUS_OK && !request->recorded)
        status = grade_open(&options, &survey->measuring, error);
    if (status == STATUS_OK && survey->measuring)
        grade_measure_shortly(survey->measuring, SECONDS, ROUNDS);
    if (status == STATUS_OK && survey->measuring && !grade_card_count(survey->measuring))
        status = error_set(error, STATUS_ENVIRONMENT, "there is no card here");
    size_t length;
    if (status == STATUS_OK && request->recorded)
        status = file_read(request->recorded, FILE_MAX, &survey->recorded, &length, error);
    return status;
}

int main(int argc, char **argv) {
    struct survey survey = {.mutex = PTHREAD_MUTEX_INITIALIZER};
    struct request request = {0};
    struct error error = {0};
    int code;
    if (worker_main(argc, argv, &code))
        return code;
    if (!parse(argc, argv, &request)) {
        fprintf(stderr,
                "usage: %s [--write FILE | --recorded FILE] [--kind kernel|host] [EXERCISE ...]\n",
                argv[0]);
        return 2;
    }
    survey.kind = request.kind;
    enum status status = open_sessions(&survey, &request, &error);
    if (status == STATUS_OK)
        status = add_all(&survey, request.chosen, request.chosen_count, &error);
    if (status != STATUS_OK) {
        fprintf(stderr, "gpu_agreement: %s\n", error.message);
        return status == STATUS_ENVIRONMENT ? SKIPPED : 2;
    }
    grade_all(&survey);
    if (request.write && write_file(&survey, request.write, &error) != STATUS_OK)
        fprintf(stderr, "gpu_agreement: %s\n", error.message);
    code = conclude(&survey);
    grade_close(survey.simulating);
    if (survey.measuring)
        grade_close(survey.measuring);
    for (size_t i = 0; i < survey.count; i++) {
        free(survey.kernels[i].id);
        free(survey.kernels[i].name);
        free(survey.kernels[i].file);
    }
    free(survey.kernels);
    free(survey.recorded);
    return code;
}
