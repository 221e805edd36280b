/* Giving back what a launch's result holds. */
#include "sandbox/base/launch.h"

#include "sandbox/base/memory.h"

#include <stdlib.h>
#include <string.h>

void engine_result_free(struct engine_result *result) {
    free(result->hazards);
    free(result->lines);
    free(result->elements);
    text_free(&result->printed);
    *result = (struct engine_result){0};
}
