/* Is it the submissions, or is it the machine?
 *
 * Three students who hand in the same kernel that takes its judge down stand beside each other in
 * the roster; that must not end everybody's run. Where several in a row cannot be judged, the
 * exercise's own tuned kernel is judged in the same way: if that can be, the rows are marked and
 * the run goes on; if it cannot, no submission can. A cluster's nodes are tried one by one by its
 * coordinator, and here their failures cost rows only. */
#include "grader/batch/batch_private.h"

#include "sandbox/base/file.h"
#include "sandbox/base/hash.h"
#include "sandbox/base/memory.h"
#include "sandbox/base/text.h"

#include <string.h>

enum { FAILURES_IN_ROW = 3, MAX_SOURCE_BYTES = 1 << 20 };

/* The tuned kernel may have a launch of its own: the exercise as if that were everybody's. */
static const struct exercise *tuned_definition(struct batch *batch, size_t exercise) {
    const struct exercise *definition = batch->exercises[exercise].exercise;
    batch->probed = *definition;
    batch->probed.launch = definition->tuned.launch;
    batch->probed.kernel = definition->tuned.kernel;
    return &batch->probed;
}

static enum status start(struct batch *batch, size_t exercise, struct error *error) {
    const struct exercise *definition = batch->exercises[exercise].exercise;
    struct batch_unit *unit = mem_zalloc(sizeof *unit);
    size_t length;
    enum status status =
        file_read(definition->tuned.file, MAX_SOURCE_BYTES, &unit->text, &length, error);
    if (status != STATUS_OK) {
        batch_unit_free(unit);
        return status;
    }
    unit->exercise = exercise;
    unit->definition = tuned_definition(batch, exercise);
    unit->version = batch->exercises[exercise].version;
    unit->name = mem_strdup(file_base_name(definition->tuned.file));
    unit->length = length;
    unit->urgent = true;
    struct sha256 hash = hash_bytes(unit->text, unit->length);
    hash_hex(&hash, unit->sha256);
    batch->probing = true;
    return batch->judges->give(batch->judges, unit, error);
}

enum status batch_note_failure(struct batch *batch, const struct batch_unit *unit,
                               struct error *error) {
    if (++batch->failed_in_row < FAILURES_IN_ROW || batch->probing || batch->options.cluster)
        return STATUS_OK;
    return start(batch, unit->exercise, error);
}

bool batch_is_probe(const struct batch_unit *unit) {
    return unit->owner_count == 0;
}

enum status batch_finish_probe(struct batch *batch, struct batch_unit *unit, bool failed,
                               struct error *error) {
    batch->probing = false;
    batch->failed_in_row = 0;
    enum status status = unit->status;
    if (failed) {
        const char *cause = unit->status == STATUS_OK ? unit->report->message : unit->error.message;
        status = error_set(error, STATUS_ENVIRONMENT,
                           "%d submissions in a row could not be judged, and neither can the tuned "
                           "kernel of %s: %s",
                           FAILURES_IN_ROW, unit->definition->id, cause ? cause : "");
        error_hint(error,
                   "%s%s`warpgrade doctor` looks at this machine; what is graded is kept, "
                   "and the same command goes on",
                   unit->status == STATUS_OK ? "" : unit->error.hint,
                   unit->status == STATUS_OK || !unit->error.hint[0] ? "" : "; ");
    } else if (status != STATUS_OK && error) {
        *error = unit->error;
    }
    batch_unit_free(unit);
    return status;
}
