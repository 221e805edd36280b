/* aim: fill the report with printed text
 * defence: the printed part of an answer has a cap
 * role: sim
 * stage: started
 * verdict: internal-error
 * exit: 3
 * says: not valid
 * bare: no the grader reads answers the same way without the jail */
#include "tests/attacks/attacker/attack.h"

#include "sandbox/engine/engine_wire.h"

#include <stdlib.h>
#include <unistd.h>

ATTACK {
    enum { PRINTED = 8 << 20 };
    struct engine_result result = {.end = ENGINE_COMPLETED};
    struct text frame = {0};
    protocol_frame(&frame, engine_wire_encode_result(&result), calloc(1, PRINTED), PRINTED);
    attack_answer(frame.data, frame.length);
    _exit(0);
}
