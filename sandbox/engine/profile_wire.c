/* Device profiles go out with a launch, launch profiles come back with its result: see
 * profile_wire.h. A profile's numbers are an array in the order of device.def, since both sides are
 * the same program; each is checked against its row's range on arrival. Where they come from stays
 * here: it concerns reports alone. */
#include "sandbox/engine/profile_wire.h"

json_t *profile_wire_encode_device(const struct device_profile *device) {
    json_t *numbers = json_array();
    for (size_t i = 0; i < DEVICE_NUMBER_COUNT; i++)
        json_array_append_new(numbers, json_real(device_value(device, i)));
    return json_pack("{s:o, s:o, s:o}", "id", protocol_string(device->id), "name",
                     protocol_string(device->name), "numbers", numbers);
}

/* Numbers of an array, each finite and in low..high of its place. */
static bool in_range(const json_t *number, double low, double high, double *value) {
    *value = json_number_value(number);
    return json_is_number(number) && *value >= low && *value <= high;
}

bool profile_wire_decode_device(const json_t *object, struct device_profile *device) {
    struct protocol_reader reader = protocol_read(object);
    *device = (struct device_profile){0};
    protocol_text(&reader, "id", device->id, sizeof device->id);
    protocol_text(&reader, "name", device->name, sizeof device->name);
    const json_t *numbers = protocol_array(&reader, "numbers", DEVICE_NUMBER_COUNT);
    for (size_t i = 0; i < DEVICE_NUMBER_COUNT && numbers; i++)
        if (!in_range(json_array_get(numbers, i), device_numbers[i].low, device_numbers[i].high,
                      (double *)((char *)device + device_numbers[i].offset)))
            protocol_fail(&reader, "numbers");
    return protocol_end(&reader);
}

static json_t *encode_occupancy(const struct occupancy *occupancy) {
    json_t *limits = json_array();
    for (size_t i = 0; i < LIMIT_COUNT; i++)
        json_array_append_new(limits, json_integer((json_int_t)occupancy->limits[i]));
    return json_pack("{s:I, s:I, s:f, s:I, s:o}", "blocks_per_sm",
                     (json_int_t)occupancy->blocks_per_sm, "warps_per_sm",
                     (json_int_t)occupancy->warps_per_sm, "theoretical", occupancy->theoretical,
                     "limit", (json_int_t)occupancy->limit, "limits", limits);
}

static bool decode_occupancy(const json_t *object, struct occupancy *occupancy) {
    struct protocol_reader reader = protocol_read(object);
    occupancy->blocks_per_sm = (unsigned)protocol_unsigned(&reader, "blocks_per_sm", UINT32_MAX);
    occupancy->warps_per_sm = (unsigned)protocol_unsigned(&reader, "warps_per_sm", UINT32_MAX);
    occupancy->theoretical = protocol_number(&reader, "theoretical", 1);
    occupancy->limit = (enum occupancy_limit)protocol_unsigned(&reader, "limit", LIMIT_COUNT - 1);
    const json_t *limits = protocol_array(&reader, "limits", LIMIT_COUNT);
    for (size_t i = 0; i < LIMIT_COUNT && limits; i++) {
        double value;
        if (in_range(json_array_get(limits, i), 0, UINT32_MAX, &value))
            occupancy->limits[i] = (unsigned)value;
        else
            protocol_fail(&reader, "limits");
    }
    return protocol_end(&reader);
}

json_t *profile_wire_encode(const struct launch_profile *profile) {
    const struct cost_estimate *estimate = &profile->estimate;
    json_t *parts = json_array(), *errors = json_array();
    for (size_t i = 0; i < COST_PART_COUNT; i++)
        json_array_append_new(parts, json_real(estimate->part_ms[i]));
    for (size_t i = 0; i < SAMPLED_FIGURE_COUNT; i++)
        json_array_append_new(errors, json_real(profile->errors[i]));
    return json_pack("{s:o, s:o, s:I, s:o, s:o, s:f, s:I, s:o}", "blocks",
                     protocol_bits(profile->blocks), "blocks_simulated",
                     protocol_bits(profile->blocks_simulated), "sampling",
                     (json_int_t)profile->sampling, "errors", errors, "occupancy",
                     encode_occupancy(&profile->occupancy), "ms", estimate->ms, "limiter",
                     (json_int_t)estimate->limiter, "parts", parts);
}

bool profile_wire_decode(const json_t *object, struct launch_profile *profile) {
    struct protocol_reader reader = protocol_read(object);
    struct cost_estimate *estimate = &profile->estimate;
    *profile = (struct launch_profile){.present = true};
    profile->blocks = protocol_hex(&reader, "blocks");
    profile->blocks_simulated = protocol_hex(&reader, "blocks_simulated");
    if (profile->blocks_simulated > profile->blocks)
        protocol_fail(&reader, "blocks_simulated");
    profile->sampling = (enum sampling)protocol_unsigned(&reader, "sampling", SAMPLING_COUNT - 1);
    if ((profile->sampling == SAMPLING_sampled) != (profile->blocks_simulated < profile->blocks))
        protocol_fail(&reader, "sampling");
    const json_t *errors = protocol_array(&reader, "errors", SAMPLED_FIGURE_COUNT);
    for (size_t i = 0; i < SAMPLED_FIGURE_COUNT && errors; i++)
        if (!in_range(json_array_get(errors, i), 0, 1e6, &profile->errors[i]))
            protocol_fail(&reader, "errors");
    const json_t *occupancy = protocol_object(&reader, "occupancy");
    if (occupancy && !decode_occupancy(occupancy, &profile->occupancy))
        protocol_fail(&reader, "occupancy");
    estimate->ms = protocol_number(&reader, "ms", MODELLED_MAX_MS);
    estimate->limiter = (enum cost_part)protocol_unsigned(&reader, "limiter", COST_PART_COUNT - 1);
    const json_t *parts = protocol_array(&reader, "parts", COST_PART_COUNT);
    for (size_t i = 0; i < COST_PART_COUNT && parts; i++)
        if (!in_range(json_array_get(parts, i), 0, MODELLED_MAX_MS, &estimate->part_ms[i]))
            protocol_fail(&reader, "parts");
    return protocol_end(&reader);
}
