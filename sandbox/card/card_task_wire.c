/* Setup and report of an exercise's task: see card_wire.h. */
#include "sandbox/card/card_wire.h"

#include "sandbox/engine/engine_wire.h"

json_t *card_wire_encode_setup(const struct engine_launch *launch, const struct card_task *task,
                               uint64_t capacity_bytes) {
    struct engine_launch with_task = *launch;
    if (task) {
        with_task.arguments = task->arguments;
        with_task.argument_count = task->argument_count;
    }
    return json_pack("{s:o, s:o, s:b, s:I}", "launch", engine_wire_encode_launch(&with_task),
                     "capacity", protocol_bits(capacity_bytes), "has_task", task != NULL,
                     "pointers", (json_int_t)(task ? task->pointers : CARD_NO_POINTERS));
}

bool card_wire_decode_setup(const struct protocol_message *message, struct card_setup *setup) {
    struct protocol_reader reader = protocol_read(message->control);
    const json_t *launch = protocol_object(&reader, "launch");
    setup->capacity_bytes = protocol_hex(&reader, "capacity");
    setup->has_task = protocol_bool(&reader, "has_task");
    enum card_pointers pointers =
        (enum card_pointers)protocol_unsigned(&reader, "pointers", CARD_HOST_POINTERS);
    if (!protocol_end(&reader) ||
        !engine_wire_decode_launch(launch, message->bulk_length, setup->arguments, &setup->device,
                                   &setup->launch) ||
        !setup->launch.device || (!setup->has_task && setup->launch.argument_count))
        return false;
    setup->task = (struct card_task){.arguments = setup->arguments,
                                     .argument_count = setup->launch.argument_count,
                                     .data = (void *)(uintptr_t)message->bulk,
                                     .data_length = message->bulk_length,
                                     .pointers = pointers};
    setup->launch.argument_count = 0;
    return true;
}

json_t *card_wire_encode_task(const struct card_task_result *task) {
    json_t *outputs = json_array();
    for (size_t i = 0; i < ENGINE_MAX_ARGUMENTS; i++)
        if (task->outputs[i].origin != CARD_FROM_KERNELS)
            json_array_append_new(outputs,
                                  json_pack("{s:I, s:I, s:o}", "argument", (json_int_t)i, "origin",
                                            (json_int_t)task->outputs[i].origin, "offset",
                                            protocol_bits(task->outputs[i].offset)));
    return json_pack("{s:b, s:I, s:o}", "returned", task->returned, "freed",
                     (json_int_t)task->freed, "outputs", outputs);
}

static bool decode_output(const json_t *object, struct card_task_result *task) {
    struct protocol_reader reader = protocol_read(object);
    uint64_t argument = protocol_unsigned(&reader, "argument", ENGINE_MAX_ARGUMENTS - 1);
    uint64_t origin = protocol_unsigned(&reader, "origin", CARD_ORIGIN_COUNT - 1);
    uint64_t offset = protocol_hex(&reader, "offset");
    if (!protocol_end(&reader))
        return false;
    task->outputs[argument] = (struct card_output){(enum card_origin)origin, offset};
    return true;
}

bool card_wire_decode_task(const json_t *object, struct card_task_result *task) {
    struct protocol_reader reader = protocol_read(object);
    task->returned = protocol_bool(&reader, "returned");
    task->freed = protocol_unsigned(&reader, "freed", ENGINE_MAX_ARGUMENTS);
    const json_t *outputs = protocol_array(&reader, "outputs", ENGINE_MAX_ARGUMENTS);
    for (size_t i = 0; outputs && i < json_array_size(outputs); i++)
        if (!decode_output(json_array_get(outputs, i), task))
            protocol_fail(&reader, "outputs");
    return protocol_end(&reader);
}
