/* aim: have two readers see two values of one member
 * defence: duplicate members are refused
 * role: sim
 * stage: started
 * verdict: internal-error
 * exit: 3
 * says: not valid
 * bare: no the grader reads answers the same way without the jail */
#include "tests/attacks/attacker/attack.h"

#include "sandbox/engine/engine_wire.h"

#include <string.h>
#include <unistd.h>

ATTACK {
    struct engine_result result = {.end = ENGINE_COMPLETED};
    json_t *control = engine_wire_encode_result(&result);
    char *text = json_dumps(control, JSON_COMPACT);
    struct text json = {0}, frame = {0};
    text_printf(&json, "{\"elapsed_ms\":1.0,%s", text + 1);
    char header[16] = "WGF1";
    uint32_t length = (uint32_t)json.length;
    memcpy(header + 4, &length, sizeof length);
    text_append_bytes(&frame, header, sizeof header);
    text_append_bytes(&frame, json.data, json.length);
    attack_answer(frame.data, frame.length);
    _exit(0);
}
