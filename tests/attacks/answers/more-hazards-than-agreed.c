/* aim: fill the grader's memory with hazards
 * defence: every array of an answer has a cap
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
    enum { HAZARDS = 5000 };
    struct hazard hazard = {.kind = HAZARD_TRAP, .count = 1};
    struct engine_result result = {.end = ENGINE_COMPLETED, .hazards = &hazard, .hazard_count = 1};
    json_t *control = engine_wire_encode_result(&result);
    json_t *hazards = json_object_get(control, "hazards");
    for (int i = 1; i < HAZARDS; i++)
        json_array_append(hazards, json_array_get(hazards, 0));
    struct text frame = {0};
    protocol_frame(&frame, control, "", 0);
    attack_answer(frame.data, frame.length);
    _exit(0);
}
