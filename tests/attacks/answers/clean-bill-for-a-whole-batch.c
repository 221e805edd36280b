/* aim: answer for all launches of a worker at once that they went well
 * defence: the grader compares the outputs of each itself, as of a launch in a worker of its own
 * role: batch
 * stage: started
 * submission: wrong
 * cases: *block*
 * options: --jobs=1
 * verdict: wrong-answer
 * never: out-of-bounds
 * bare: no the grader reads answers the same way without the jail */
#include "tests/attacks/attacker/attack.h"

#include "sandbox/engine/engine_wire.h"

#include <unistd.h>

/* The number of launches in the request; a worker knows it, after all. */
static size_t count_launches(void) {
    struct protocol_message message;
    size_t length;
    const char *request = attack_request(&length);
    if (!request || !protocol_parse(request, length, &message))
        attack_failed("the request of a batch");
    return json_array_size(json_object_get(message.control, "launches"));
}

/* The submission writes out of bounds only; every y stays as it was. That no report speaks of it
 * shows that the answer was taken, and not replaced by that of launches one by one. No counter: an
 * atomic operation would be a reason to launch once more, in another order. */
ATTACK {
    json_t *results = json_array();
    const struct engine_result result = {.end = ENGINE_COMPLETED, .host_threads = 1};
    struct text frame = {0};
    for (size_t i = 0, count = count_launches(); i < count; i++)
        json_array_append_new(results,
                              json_pack("{s:I, s:i, s:o}", "entry", (json_int_t)i, "printed", 0,
                                        "result", engine_wire_encode_result(&result)));
    protocol_frame(&frame, json_pack("{s:o}", "results", results), "", 0);
    attack_answer(frame.data, frame.length);
    _exit(0);
}
