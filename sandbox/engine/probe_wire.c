/* Probes and elements as JSON, each an array of its numbers: see probe_wire.h. Elements come from a
 * worker and are decoded as hostile; which of them were asked for only the launch says. */
#include "sandbox/engine/probe_wire.h"

#include "sandbox/base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Indices travel as integers: a buffer has less than 2^63 elements. */
json_t *probe_wire_encode_probes(const struct engine_launch *launch) {
    json_t *probes = json_array();
    for (size_t i = 0; i < launch->probe_count; i++) {
        const struct engine_probe *probe = &launch->probes[i];
        json_t *numbers =
            json_pack("[I, I]", (json_int_t)probe->argument, (json_int_t)probe->index);
        for (unsigned j = 0; j < probe->block_count; j++)
            json_array_append_new(numbers, json_integer((json_int_t)probe->blocks[j]));
        json_array_append_new(probes, numbers);
    }
    return probes;
}

static bool read_number(const json_t *array, size_t index, uint64_t most, uint64_t *number) {
    const json_t *value = json_array_get(array, index);
    if (!json_is_integer(value) || json_integer_value(value) < 0 ||
        (uint64_t)json_integer_value(value) > most)
        return false;
    *number = (uint64_t)json_integer_value(value);
    return true;
}

static bool decode_probe(const json_t *numbers, struct engine_probe *probe) {
    size_t count = json_array_size(numbers);
    uint64_t argument;
    if (count < 2 || count > 2 + ENGINE_PROBE_BLOCKS ||
        !read_number(numbers, 0, ENGINE_MAX_ARGUMENTS - 1, &argument) ||
        !read_number(numbers, 1, INT64_MAX, &probe->index))
        return false;
    probe->argument = (unsigned)argument;
    probe->block_count = (unsigned)count - 2;
    for (unsigned i = 0; i < probe->block_count; i++)
        if (!read_number(numbers, 2 + i, INT64_MAX, &probe->blocks[i]))
            return false;
    return true;
}

bool probe_wire_decode_probes(const json_t *control, struct engine_probe *probes) {
    const json_t *array = json_object_get(control, "probes");
    if (json_array_size(array) > ENGINE_MAX_ELEMENTS)
        return false;
    for (size_t i = 0; i < json_array_size(array); i++)
        if (!decode_probe(json_array_get(array, i), &probes[i]))
            return false;
    return true;
}

json_t *probe_wire_encode_elements(const struct engine_result *result) {
    json_t *elements = json_array();
    for (size_t i = 0; i < result->element_count && i < ENGINE_MAX_ELEMENTS; i++) {
        const struct engine_element *element = &result->elements[i];
        json_array_append_new(elements, json_pack("[I, I, o, b]", (json_int_t)element->argument,
                                                  (json_int_t)element->index,
                                                  protocol_bits(element->bits), element->written));
    }
    return elements;
}

static bool decode_element(const json_t *members, struct engine_element *element) {
    uint64_t argument;
    const char *digits = json_string_value(json_array_get(members, 2));
    char *end = NULL;
    if (json_array_size(members) != 4 ||
        !read_number(members, 0, ENGINE_MAX_ARGUMENTS - 1, &argument) ||
        !read_number(members, 1, INT64_MAX, &element->index) || !digits || !*digits ||
        strspn(digits, "0123456789abcdef") != strlen(digits) || strlen(digits) > 16 ||
        !json_is_boolean(json_array_get(members, 3)))
        return false;
    element->argument = (unsigned)argument;
    element->bits = strtoull(digits, &end, 16);
    element->written = json_is_true(json_array_get(members, 3));
    return true;
}

void probe_wire_decode_elements(struct protocol_reader *reader, struct engine_result *result) {
    const json_t *array = protocol_array(reader, "elements", ENGINE_MAX_ELEMENTS);
    size_t count = array ? json_array_size(array) : 0;
    if (!count)
        return;
    result->element_count = count;
    result->elements = mem_calloc(count, sizeof *result->elements);
    for (size_t i = 0; i < count; i++)
        if (!decode_element(json_array_get(array, i), &result->elements[i]))
            protocol_fail(reader, "elements");
}

static bool is_output(const struct engine_launch *launch, const struct engine_element *element) {
    if (element->argument >= launch->argument_count)
        return false;
    const struct engine_argument *argument = &launch->arguments[element->argument];
    return argument->is_buffer && !argument->read_only && argument->fill.kind != ENGINE_FILL_DATA &&
           element->index < argument->count;
}

bool probe_wire_are_wanted(const struct engine_launch *launch, const struct engine_result *result) {
    if (launch->probe_count) {
        for (size_t i = 0; i < result->element_count; i++)
            if (i >= launch->probe_count ||
                result->elements[i].argument != launch->probes[i].argument ||
                result->elements[i].index != launch->probes[i].index)
                return false;
        return !result->element_count || result->element_count == launch->probe_count;
    }
    for (size_t i = 0; i < result->element_count; i++)
        if (!is_output(launch, &result->elements[i]))
            return false;
    return result->element_count <= launch->wanted_elements;
}
