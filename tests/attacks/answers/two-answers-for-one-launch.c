/* aim: answer for a launch twice, so that its hazards are forgotten
 * defence: a batch's answer counts as a whole or not at all; each launch is then run by itself
 * role: batch
 * stage: started
 * submission: wrong
 * cases: *block*
 * options: --jobs=1
 * verdict: hazard
 * says: out-of-bounds
 * bare: no the grader reads answers the same way without the jail */
#include "tests/attacks/attacker/attack.h"

#include "sandbox/engine/engine_wire.h"

#include <unistd.h>

/* Were the first answer taken, the case would be a wrong answer without a hazard. */
ATTACK {
    json_t *results = json_array();
    const struct engine_result result = {.end = ENGINE_COMPLETED, .host_threads = 1};
    struct text frame = {0};
    for (int i = 0; i < 2; i++)
        json_array_append_new(results, json_pack("{s:i, s:i, s:o}", "entry", 0, "printed", 0,
                                                 "result", engine_wire_encode_result(&result)));
    protocol_frame(&frame, json_pack("{s:o}", "results", results), "", 0);
    attack_answer(frame.data, frame.length);
    _exit(0);
}
