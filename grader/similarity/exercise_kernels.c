/* What an exercise itself holds: known solutions and wrong ones. What a submission has in common
 * with them it may have from the statement. */
#include "grader/similarity/similarity.h"

#include "grader/exercise/exercise.h"
#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"

#include <stdlib.h>

static enum status add_file(struct similarity_class *class, const char *path,
                            enum similarity_role role, bool any_kernel, struct error *error) {
    char *text = NULL;
    size_t length = 0;
    enum status status = file_read(path, SIMILARITY_MAX_SOURCE, &text, &length, error);
    if (status != STATUS_OK)
        return status;
    *similarity_add(class) = (struct similarity_item){.student = mem_strdup(""),
                                                      .origin = mem_strdup("exercise"),
                                                      .file = mem_strdup(path),
                                                      .text = text,
                                                      .length = length,
                                                      .role = role,
                                                      .any_kernel = any_kernel};
    return STATUS_OK;
}

enum status similarity_add_exercise(struct similarity_class *class, const struct exercise *exercise,
                                    struct error *error) {
    class->kernel = exercise->kernel;
    class->headers = exercise->headers;
    class->header_count = exercise->header_count;
    enum status status = add_file(class, exercise->skeleton, SIMILARITY_SKELETON, true, error);
    if (status == STATUS_OK)
        status = add_file(class, exercise->tuned.file, SIMILARITY_OWN, true, error);
    if (status == STATUS_OK)
        status = add_file(class, exercise->reference.file, SIMILARITY_OWN, true, error);
    for (size_t i = 0; i < exercise->mutant_count && status == STATUS_OK; i++)
        status = add_file(class, exercise->mutants[i].file, SIMILARITY_OWN, true, error);
    return status;
}
