/* How well copies are told from independent solutions, and how long a class takes.
 *
 * tests/similarity/solutions/EXERCISE/ holds solutions that have nothing to do with each other. In
 * turn each gets a copy in each disguise, in a class of all of them; the copy and its original
 * should be found, and nothing else. */
#include "tests/similarity/disguise.h"
#include "tests/source_folder.h"

#include "grader/exercise/exercise.h"
#include "grader/similarity/similarity.h"
#include "sandbox/base/clock.h"
#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"
#include "sandbox/base/text.h"
#include "sandbox/program/worker_main.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SOLUTIONS = 16 };

static const char *const folder = WARPGRADE_SOURCE_DIR "/tests/similarity/solutions";
static double threshold = SIMILARITY_DEFAULT_THRESHOLD;
static bool is_verbose;

struct solutions {
    struct exercise *exercise;
    char *names[MOST_SOLUTIONS], *texts[MOST_SOLUTIONS];
    size_t count;
};

struct figures {
    size_t copies, found;   /* copies, and those at or above the threshold */
    size_t honest, alarms;  /* independent pairs, and those at or above it */
    size_t classes, ranked; /* classes, and those with every copy above every honest pair */
    double lowest, highest; /* of the copies; of the honest pairs */
    size_t uncompiled;
};

static void fail(const struct error *error) {
    fprintf(stderr, "bench_similarity: %s\n", error->message);
    exit(77);
}

static int compare_names(const struct dirent **left, const struct dirent **right) {
    return strcmp((*left)->d_name, (*right)->d_name);
}

static struct solutions load(const char *id) {
    struct solutions solutions = {0};
    struct error error = {0};
    struct dirent **entries;
    cleanup_free char *path = file_join(folder, id);
    int count = scandir(path, &entries, NULL, compare_names);
    if (exercise_find(id, &solutions.exercise, &error) != STATUS_OK)
        fail(&error);
    for (int i = 0; i < count; i++) {
        cleanup_free char *file = file_join(path, entries[i]->d_name);
        size_t length;
        if (entries[i]->d_name[0] != '.' && solutions.count < MOST_SOLUTIONS) {
            if (file_read(file, SIMILARITY_MAX_SOURCE, &solutions.texts[solutions.count], &length,
                          &error) != STATUS_OK)
                fail(&error);
            solutions.names[solutions.count++] = mem_strdup(entries[i]->d_name);
        }
        free(entries[i]);
    }
    free(count < 0 ? NULL : entries);
    return solutions;
}

static void unload(struct solutions *solutions) {
    for (size_t i = 0; i < solutions->count; i++) {
        free(solutions->names[i]);
        free(solutions->texts[i]);
    }
    exercise_free(solutions->exercise);
}

static void add(struct similarity_class *class, char *student, char *text) {
    *similarity_add(class) = (struct similarity_item){.student = student,
                                                      .origin = mem_strdup("bench"),
                                                      .file = mem_strdup("kernel.cu"),
                                                      .text = text,
                                                      .length = strlen(text)};
}

static struct similarity_class open_class(const struct solutions *solutions) {
    struct similarity_class class = {.exercise = mem_strdup(solutions->exercise->id)};
    struct error error = {0};
    for (size_t i = 0; i < solutions->count; i++)
        add(&class, mem_strdup(solutions->names[i]), mem_strdup(solutions->texts[i]));
    if (similarity_add_exercise(&class, solutions->exercise, &error) != STATUS_OK)
        fail(&error);
    return class;
}

/* ---- figures --------------------------------------------------------------------------------- */

static bool is_copy(const struct similarity_class *class, const struct similarity_pair *pair) {
    const char *left = class->items[pair->left].student, *right = class->items[pair->right].student;
    size_t length = strcspn(left, "~");
    return strncmp(left, right, length) == 0 && right[length] == '~';
}

static void count_pairs(const struct similarity_class *class,
                        const struct similarity_result *result, struct figures *figures) {
    double lowest = 1, highest = 0;
    for (size_t i = 0; i < result->pair_count; i++) {
        const struct similarity_pair *pair = &result->pairs[i];
        bool copy = is_copy(class, pair);
        *(copy ? &figures->copies : &figures->honest) += 1;
        if (pair->score >= threshold)
            *(copy ? &figures->found : &figures->alarms) += 1;
        if (copy && pair->score < lowest)
            lowest = pair->score;
        if (!copy && pair->score > highest)
            highest = pair->score;
        if (is_verbose && (copy || pair->score > 0.3))
            printf("  %s %-12s %-12s score %.2f share %.2f rarity %.2f bits %5.1f words %.1f\n",
                   copy ? "copy  " : "honest", class->items[pair->left].student,
                   class->items[pair->right].student, pair->score, pair->share, pair->rarity,
                   pair->bits, pair->word_bits);
    }
    for (size_t i = 0; i < class->item_count; i++)
        if (result->problems[i] && class->items[i].role == SIMILARITY_SUBMISSION) {
            figures->uncompiled++;
            if (is_verbose)
                printf("  %s: %s\n", class->items[i].student, result->problems[i]);
        }
    figures->classes++;
    figures->ranked += lowest > highest;
    if (lowest < figures->lowest)
        figures->lowest = lowest;
    if (highest > figures->highest)
        figures->highest = highest;
}

static void measure(const struct similarity_class *class, struct figures *figures) {
    struct similarity_options options = {.threshold = threshold, .keep_all = true};
    struct similarity_result result;
    struct error error = {0};
    if (similarity_compare(class, &options, &result, &error) != STATUS_OK)
        fail(&error);
    if (is_verbose)
        printf("  %zu submissions, typical %.1f bits%s\n", result.submissions, result.typical_bits,
               result.too_small ? ", too small to tell" : "");
    count_pairs(class, &result, figures);
    similarity_result_free(class, &result);
}

static void add_copy(struct similarity_class *class, const struct solutions *solutions,
                     size_t original, enum disguise disguise) {
    add(class, mem_printf("%s~%s", solutions->names[original], disguise_names[disguise]),
        disguise_apply(disguise, solutions->texts[original]));
}

static void merge(struct figures *sum, const struct figures *part) {
    sum->copies += part->copies;
    sum->found += part->found;
    sum->honest += part->honest;
    sum->alarms += part->alarms;
    sum->classes += part->classes;
    sum->ranked += part->ranked;
    sum->uncompiled += part->uncompiled;
    sum->lowest = part->lowest < sum->lowest ? part->lowest : sum->lowest;
    sum->highest = part->highest > sum->highest ? part->highest : sum->highest;
}

static const struct figures none = {.lowest = 1};

static void print_figures(const char *name, const struct figures *f) {
    size_t alarms = f->found + f->alarms;
    printf("%-18s %5zu %5zu  %6.1f %%   %6.1f %%  %5zu %5zu   %.2f   %.2f   %zu of %zu", name,
           f->copies, f->honest, f->copies ? 100.0 * (double)f->found / (double)f->copies : 0,
           alarms ? 100.0 * (double)f->found / (double)alarms : 100.0, f->copies - f->found,
           f->alarms, f->lowest, f->highest, f->ranked, f->classes);
    printf(f->uncompiled ? "   %zu do not compile\n" : "\n", f->uncompiled);
}

static void print_head(void) {
    printf("%-18s %5s %5s  %8s   %8s  %5s %5s  %6s %6s  %s\n", "", "copies", "other", "recall",
           "precision", "missed", "false", "lowest", "highest",
           "classes with every copy above all others");
}

/* One copy in a class of all solutions: each solution, each disguise. */
static struct figures measure_all(const struct solutions *solutions, struct figures *by_disguise) {
    struct figures sum = none;
    for (size_t i = 0; i < solutions->count; i++)
        for (enum disguise d = 0; d < DISGUISE_COUNT; d++) {
            struct similarity_class class = open_class(solutions);
            struct figures one = none;
            add_copy(&class, solutions, i, d);
            measure(&class, &one);
            if (d < DISGUISE_PLAIN_COUNT)
                merge(&sum, &one);
            merge(&by_disguise[d], &one);
            similarity_class_free(&class);
        }
    return sum;
}

/* Four of a class hand in the same in different disguises: six pairs. */
static struct figures measure_groups(const struct solutions *solutions) {
    struct figures sum = none;
    for (size_t i = 0; i < solutions->count; i++) {
        struct similarity_class class = open_class(solutions);
        struct figures one = none;
        for (unsigned d = 0; d < 3; d++)
            add_copy(&class, solutions, i,
                     (enum disguise)(1 + (i + 4 * d) % (DISGUISE_PLAIN_COUNT - 1)));
        measure(&class, &one);
        merge(&sum, &one);
        similarity_class_free(&class);
    }
    return sum;
}

/* A copy of every solution in one class, each in another disguise. */
static struct figures measure_quickly(const struct solutions *solutions, size_t first) {
    struct figures sum = none;
    struct similarity_class class = open_class(solutions);
    for (size_t i = 0; i < solutions->count; i++)
        add_copy(&class, solutions, i, (enum disguise)((first + i) % DISGUISE_PLAIN_COUNT));
    measure(&class, &sum);
    similarity_class_free(&class);
    return sum;
}

/* ---- speed ----------------------------------------------------------------------------------- */

static void measure_speed(const char *const *ids, size_t count, size_t students) {
    double begin = clock_ms();
    for (size_t e = 0; e < count; e++) {
        struct solutions solutions = load(ids[e]);
        struct similarity_class class = open_class(&solutions);
        while (class.item_count < students) {
            size_t number = class.item_count, original = number % solutions.count;
            enum disguise disguise =
                (enum disguise)(number / solutions.count % DISGUISE_PLAIN_COUNT);
            cleanup_free char *copy = disguise_apply(disguise, solutions.texts[original]);
            add(&class, mem_printf("student %zu", number),
                mem_printf("%s\n__device__ int only_mine = %zu;\n", copy, number));
        }
        struct similarity_options options = {.threshold = threshold, .limit = 100};
        struct similarity_result result;
        struct error error = {0};
        double start = clock_ms();
        if (similarity_compare(&class, &options, &result, &error) != STATUS_OK)
            fail(&error);
        printf("%-18s %zu submissions, %zu pairs, %.1f s\n", ids[e], result.submissions,
               result.compared, (clock_ms() - start) / 1000);
        similarity_result_free(&class, &result);
        similarity_class_free(&class);
        unload(&solutions);
    }
    printf("together %.1f s\n", (clock_ms() - begin) / 1000);
}

int main(int argc, char **argv) {
    static const char *const all[] = {"reduce-shuffle", "transpose", "histogram-shared",
                                      "matmul-tiled",   "softmax",   "stencil-3d"};
    static const char *const quick[] = {"histogram-shared"};
    bool is_quick = false;
    int code;
    if (worker_main(argc, argv, &code))
        return code;
    size_t students = 0;
    struct figures by_disguise[DISGUISE_COUNT], sum = none, groups = none;
    for (int i = 1; i < argc; i++) {
        is_quick = is_quick || strcmp(argv[i], "--quick") == 0;
        is_verbose = is_verbose || strcmp(argv[i], "-v") == 0;
        if (strcmp(argv[i], "--class") == 0 && i + 1 < argc)
            students = (size_t)strtoul(argv[++i], NULL, 10);
        if (strcmp(argv[i], "--threshold") == 0 && i + 1 < argc)
            threshold = strtod(argv[++i], NULL);
    }
    if (students) {
        measure_speed(all, 3, students);
        return 0;
    }
    for (size_t d = 0; d < DISGUISE_COUNT; d++)
        by_disguise[d] = none;
    print_head();
    for (size_t e = 0; e < (is_quick ? ARRAY_LENGTH(quick) : ARRAY_LENGTH(all)); e++) {
        const char *id = is_quick ? quick[e] : all[e];
        struct solutions solutions = load(id);
        struct figures one = is_quick ? measure_quickly(&solutions, DISGUISE_HELPER)
                                      : measure_all(&solutions, by_disguise);
        print_figures(id, &one);
        merge(&sum, &one);
        if (!is_quick) {
            one = measure_groups(&solutions);
            merge(&groups, &one);
        }
        unload(&solutions);
    }
    for (size_t d = 0; d < DISGUISE_PLAIN_COUNT && !is_quick; d++)
        print_figures(disguise_names[d], &by_disguise[d]);
    print_figures("all", &sum);
    for (size_t d = DISGUISE_PLAIN_COUNT; d < DISGUISE_COUNT && !is_quick; d++)
        print_figures(disguise_names[d], &by_disguise[d]);
    if (!is_quick)
        print_figures("four the same", &groups);
    /* Copies of the textbook's solution are not found, and should not be. */
    return sum.alarms || sum.uncompiled || 5 * sum.found < 4 * sum.copies;
}
