/* aim: answer that all went well, with no hazards and fine counters
 * defence: the grader compares the outputs itself, with what a worker of its own computed
 * role: sim
 * stage: started
 * submission: wrong
 * verdict: wrong-answer
 * bare: no the grader reads answers the same way without the jail */
#include "tests/attacks/attacker/attack.h"

#include "sandbox/engine/engine_wire.h"

#include <unistd.h>

/* The submission writes out of bounds only; y stays as it was. */
ATTACK {
    struct engine_result result = {.end = ENGINE_COMPLETED, .host_threads = 1};
    struct text frame = {0};
    for (size_t i = 0; i < COUNTER_COUNT; i++)
        *counter_at(&result.counters, i) = 1;
    protocol_frame(&frame, engine_wire_encode_result(&result), "", 0);
    attack_answer(frame.data, frame.length);
    _exit(0);
}
