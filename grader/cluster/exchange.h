/* What the coordinator of a batch and its tasks on other nodes write for each other: the session,
 * a submission to be judged, a failure, the end of a task. JSON, small, and read as a stranger's
 * bytes: a shared folder is only as safe as the systems that mount it. */
#ifndef WARPGRADE_GRADER_CLUSTER_EXCHANGE_H
#define WARPGRADE_GRADER_CLUSTER_EXCHANGE_H

#include "grader/grade/grade.h"
#include "sandbox/base/error.h"
#include "sandbox/base/language.h"

#include <stddef.h>
#include <stdint.h>

enum { CLUSTER_KEY_SIZE = 65, EXCHANGE_MAX_BYTES = 4 << 20 };

/* What all submissions of a run are judged with. */
struct cluster_session {
    const char *tool;   /* version */
    const char *engine; /* "sim", "cuda", "sim+cuda": as judges_engine_name() has it */
    const char *device; /* NULL: the exercises' */
    enum language language;
    uint64_t seed;
    bool has_pass_mark;
    double pass_mark;
};

/* One submission; its bytes are a file of their own. */
struct cluster_order {
    const char *exercise, *version, *name, *sha256;
};

/* Why a submission, or a whole task, could not be judged. */
struct cluster_failure {
    enum status status;
    const char *message, *hint, *node;
};

/* How long a submission of an exercise takes. */
struct cluster_seconds {
    char exercise[128];
    double seconds;
};

/* ---- to text; the caller frees ------------------------------------------------------------ */
char *exchange_write_session(const struct cluster_session *session);
char *exchange_write_order(const struct cluster_order *order);
char *exchange_write_failure(const struct cluster_failure *failure);
char *exchange_write_keys(const char (*keys)[CLUSTER_KEY_SIZE], size_t count);
char *exchange_write_seconds(const struct cluster_seconds *seconds, size_t count);

/* What a submission is filed under: the same for the same bytes under the same conditions. */
void exchange_key(const char *session, const struct cluster_order *order, const void *text,
                  size_t length, char key[CLUSTER_KEY_SIZE]);

/* ---- from text ---------------------------------------------------------------------------- */
/* A document that was read; its strings live as long as it does. */
struct exchange;
void exchange_free(struct exchange *document); /* NULL is allowed */

enum status exchange_read_session(const char *text, size_t length, struct cluster_session *session,
                                  struct exchange **document, struct error *error);
enum status exchange_read_order(const char *text, size_t length, struct cluster_order *order,
                                struct exchange **document, struct error *error);
enum status exchange_read_failure(const char *text, size_t length, struct cluster_failure *failure,
                                  struct exchange **document, struct error *error);
enum status exchange_read_keys(const char *text, size_t length, char (**keys)[CLUSTER_KEY_SIZE],
                               size_t *count, struct error *error);
enum status exchange_read_seconds(const char *text, size_t length, struct cluster_seconds **seconds,
                                  size_t *count, struct error *error);
bool exchange_is_key(const char *text); /* 64 lower-case hexadecimal digits */

#endif
