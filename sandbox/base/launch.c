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

void engine_touched_free(struct engine_memory *memory) {
    for (size_t i = 0; i < memory->touched_count; i++)
        free(memory->touched[i].ranges);
    free(memory->touched);
    memory->touched = NULL;
    memory->touched_count = 0;
}
