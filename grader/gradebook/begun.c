/* Which interrupted run is gone on with.
 *
 * Only runs of the whole class count: one with --only or --since neither begins nor completes what
 * is to be gone on with. A finished run completes all that were begun before it, but a run with
 * --all is completed by another such run only. A seed that was named on the command line is asked
 * for again by the same command alone: it is known to whoever saw that, and a secret one is not.
 * What a run was is read from its options, which may be anybody's text. */
#include "grader/gradebook/gradebook_private.h"

#include <jansson.h>

struct options {
    bool whole; /* of all students and all commits */
    bool all, seed_named;
    int64_t goes_on_with; /* a run's id; 0: none */
};

static struct options read_options(const char *text) {
    json_t *object = json_loads(text, 0, NULL);
    const struct options options = {
        .whole = json_is_object(object) && json_array_size(json_object_get(object, "only")) == 0 &&
                 !json_object_get(object, "since"),
        .all = json_is_true(json_object_get(object, "all")),
        .seed_named = json_is_true(json_object_get(object, "seed_named")),
        .goes_on_with = json_integer_value(json_object_get(object, "goes_on_with")),
    };
    json_decref(object);
    return options;
}

static bool is_like(const struct options *options, uint64_t seed,
                    const struct gradebook_begun *like, bool has_seed) {
    bool same_seed = has_seed ? seed == like->seed : !options->seed_named;
    return same_seed && (options->all || !like->all);
}

static enum status find_start(struct gradebook *book, struct gradebook_begun *begun,
                              struct error *error) {
    struct query query = query_prepare(book, "SELECT started_at FROM run WHERE id = :id");
    query_integer(&query, ":id", begun->run);
    begun->started_at = query_next(&query) ? sqlite3_column_int64(query.statement, 0) : 0;
    return query_end(&query, error);
}

enum status gradebook_begun_run(struct gradebook *book, const struct gradebook_begun *like,
                                bool has_seed, struct gradebook_begun *begun, struct error *error) {
    struct query query = query_prepare(
        book, "SELECT id, seed, finished_at IS NULL, options FROM run ORDER BY id DESC");
    bool completed = false, completed_all = false; /* by a later run */
    *begun = (struct gradebook_begun){0};
    while (!begun->run && !completed_all && query_next(&query)) {
        const struct options options = read_options(query_string(&query, 3));
        uint64_t seed = (uint64_t)sqlite3_column_int64(query.statement, 1);
        if (!options.whole)
            continue;
        if (!sqlite3_column_int(query.statement, 2)) {
            completed = true;
            completed_all = options.all;
        } else if (!(completed && !options.all) && is_like(&options, seed, like, has_seed)) {
            begun->run = options.goes_on_with > 0 ? options.goes_on_with
                                                  : sqlite3_column_int64(query.statement, 0);
            begun->seed = seed;
            begun->all = options.all;
        }
    }
    enum status status = query_end(&query, error);
    return status == STATUS_OK && begun->run ? find_start(book, begun, error) : status;
}
