/* aim: have the grader compute with numbers out of range
 * defence: every number of an answer has a range
 * role: sim
 * stage: started
 * verdict: internal-error
 * exit: 3
 * says: not valid
 * bare: no the grader reads answers the same way without the jail */
#include "tests/attacks/attacker/attack.h"

#include "sandbox/engine/engine_wire.h"

#include <unistd.h>

ATTACK {
    struct engine_result result = {.end = ENGINE_COMPLETED};
    json_t *control = engine_wire_encode_result(&result);
    struct text frame = {0};
    json_object_set_new(control, "elapsed_ms", json_real(-1e300));
    json_object_set_new(control, "host_threads", json_integer(INT64_MIN));
    protocol_frame(&frame, control, "", 0);
    attack_answer(frame.data, frame.length);
    _exit(0);
}
