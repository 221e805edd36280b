/* aim: slip a second answer in after the first
 * defence: nothing may follow the frame
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
    struct text frame = {0};
    protocol_frame(&frame, engine_wire_encode_result(&result), "", 0);
    attack_answer(frame.data, frame.length);
    attack_answer(frame.data, frame.length);
    _exit(0);
}
