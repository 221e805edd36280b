/* From a source to its fingerprint, for one and for a class. */
#include "grader/similarity/fingerprint.h"

#include "grader/similarity/source.h"
#include "sandbox/base/file.h"
#include "sandbox/base/hash.h"
#include "sandbox/base/memory.h"
#include "sandbox/build/build.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_PTX_BYTES = 8 << 20, MAX_JOBS = 64 };

/* ---- one ------------------------------------------------------------------------------------- */

static enum status read_graph(const struct build_result *build, const char *file, bool has_kernel,
                              struct fingerprint *fingerprint) {
    struct graph graph;
    struct error error = {0};
    const char *lowered = has_kernel && build->kernel_index < build->kernel_count
                              ? build->kernels[build->kernel_index].lowered
                              : NULL;
    enum status status = graph_read(build->ptx, build->ptx_length, lowered, file, &graph, &error);
    if (status == STATUS_OK && graph.node_count) {
        feature_of_graph(&graph, &fingerprint->graph);
        fingerprint->has_graph = true;
    } else {
        fingerprint->problem =
            mem_strdup(status == STATUS_OK ? "there is no kernel in it" : error.message);
    }
    graph_free(&graph);
    return STATUS_OK;
}

static enum status compile(const struct similarity_class *class, const struct similarity_item *item,
                           struct fingerprint *fingerprint, struct error *error) {
    const char *file = file_base_name(item->file);
    struct build_request request = {.file_name = file,
                                    .source = item->text,
                                    .source_length = item->length,
                                    .kernel = item->any_kernel ? NULL : class->kernel,
                                    .headers = class->headers,
                                    .header_count = class->header_count,
                                    .no_signature = true,
                                    .no_shapes = true};
    struct worker_limits limits = {.output_bytes = MAX_PTX_BYTES};
    struct build_result build;
    enum status status = build_compile(&request, &limits, &build, error);
    if (status != STATUS_OK)
        return status;
    if (build.compiled)
        read_graph(&build, file, request.kernel, fingerprint);
    else
        fingerprint->problem = mem_strdup(build.message[0] ? build.message : "it does not compile");
    build_result_free(&build);
    return STATUS_OK;
}

enum status fingerprint_make(const struct similarity_class *class,
                             const struct similarity_item *item, struct fingerprint *fingerprint,
                             struct error *error) {
    *fingerprint = (struct fingerprint){0};
    if (item->length > SIMILARITY_MAX_SOURCE) {
        fingerprint->problem =
            mem_printf("it has more than %d KiB and is not compared", SIMILARITY_MAX_SOURCE >> 10);
        return STATUS_OK;
    }
    source_runs(item->text, item->length, &fingerprint->runs);
    source_words(item->text, item->length, &fingerprint->words);
    if (memchr(item->text, '\0', item->length)) {
        fingerprint->problem = mem_strdup("it is not text");
        return STATUS_OK;
    }
    return compile(class, item, fingerprint, error);
}

void fingerprint_free(struct fingerprint *fingerprint) {
    feature_set_free(&fingerprint->graph);
    feature_set_free(&fingerprint->runs);
    feature_set_free(&fingerprint->words);
    free(fingerprint->problem);
    *fingerprint = (struct fingerprint){0};
}

/* ---- a class --------------------------------------------------------------------------------- */

struct work {
    const struct similarity_class *class;
    struct fingerprint *fingerprints;
    const size_t *twins; /* of an item: the first one of the same source */
    atomic_size_t next;
    atomic_bool failed; /* something could not be compiled here ... */
    atomic_bool worked; /* ... and something could */
    pthread_mutex_t lock;
    struct error error; /* the first one */
};

/* Where the compiler works for others, a submission is to blame that it gave up on. */
static void note_failure(struct work *work, struct fingerprint *fingerprint,
                         const struct error *error) {
    fingerprint->problem = mem_printf("the compiler gave up: %s", error->message);
    pthread_mutex_lock(&work->lock);
    if (!atomic_exchange(&work->failed, true))
        work->error = *error;
    pthread_mutex_unlock(&work->lock);
}

static void *work_on(void *context) {
    struct work *work = context;
    size_t i;
    while ((i = atomic_fetch_add(&work->next, 1)) < work->class->item_count) {
        struct fingerprint *fingerprint = &work->fingerprints[i];
        struct error error = {0};
        if (work->twins[i] != i)
            continue;
        if (fingerprint_make(work->class, &work->class->items[i], fingerprint, &error) != STATUS_OK)
            note_failure(work, fingerprint, &error);
        else if (fingerprint->has_graph)
            atomic_store(&work->worked, true);
    }
    return NULL;
}

static void run_threads(struct work *work, unsigned jobs) {
    pthread_t threads[MAX_JOBS];
    unsigned started = 0;
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    if (!jobs)
        jobs = online > 1 ? (unsigned)online : 1;
    if (jobs > MAX_JOBS)
        jobs = MAX_JOBS;
    while (started + 1 < jobs && started + 1 < work->class->item_count &&
           pthread_create(&threads[started], NULL, work_on, work) == 0)
        started++;
    work_on(work);
    while (started)
        pthread_join(threads[--started], NULL);
}

struct digest {
    struct sha256 hash;
    size_t item;
};

static int compare_digests(const void *left, const void *right) {
    const struct digest *a = left, *b = right;
    int order = memcmp(&a->hash, &b->hash, sizeof a->hash);
    return order ? order : (a->item > b->item) - (a->item < b->item);
}

static size_t *find_twins(const struct similarity_class *class) {
    size_t count = class->item_count;
    size_t *twins = mem_calloc(count + 1, sizeof *twins);
    cleanup_free struct digest *digests = mem_calloc(count + 1, sizeof *digests);
    for (size_t i = 0; i < count; i++) {
        const struct similarity_item *item = &class->items[i];
        unsigned char any = item->any_kernel;
        struct hash_part parts[] = {
            {item->text, item->length}, {&any, 1}, {item->file, strlen(item->file)}};
        digests[i] = (struct digest){hash_parts(parts, ARRAY_LENGTH(parts)), i};
    }
    qsort(digests, count, sizeof *digests, compare_digests);
    for (size_t i = 0; i < count; i++) {
        bool same = i && memcmp(&digests[i].hash, &digests[i - 1].hash, sizeof digests->hash) == 0;
        twins[digests[i].item] = same ? twins[digests[i - 1].item] : digests[i].item;
    }
    return twins;
}

static struct feature_set copy_set(const struct feature_set *set) {
    struct feature_set copy = {.count = set->count,
                               .capacity = set->count,
                               .from_count = set->from_count,
                               .from_capacity = set->from_count};
    copy.items = mem_dup(set->items, set->count * sizeof *set->items);
    copy.from = mem_dup(set->from, set->from_count * sizeof *set->from);
    return copy;
}

enum status fingerprint_class(const struct similarity_class *class, unsigned jobs,
                              struct fingerprint *fingerprints, struct error *error) {
    if (!class->item_count)
        return STATUS_OK;
    cleanup_free size_t *twins = find_twins(class);
    struct work work = {.class = class,
                        .fingerprints = fingerprints,
                        .twins = twins,
                        .lock = PTHREAD_MUTEX_INITIALIZER};
    run_threads(&work, jobs);
    pthread_mutex_destroy(&work.lock);
    for (size_t i = 0; i < class->item_count; i++) {
        const struct fingerprint *twin = &fingerprints[twins[i]];
        if (twins[i] != i)
            fingerprints[i] = (struct fingerprint){.has_graph = twin->has_graph,
                                                   .graph = copy_set(&twin->graph),
                                                   .runs = copy_set(&twin->runs),
                                                   .words = copy_set(&twin->words),
                                                   .problem = mem_strdup(twin->problem)};
    }
    if (!work.failed || work.worked)
        return STATUS_OK;
    if (error)
        *error = work.error;
    return STATUS_ENVIRONMENT;
}
