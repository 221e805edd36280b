/* The two messages as JSON, made of the engine's. */
#include "sandbox/card/card_wire.h"

#include "sandbox/base/memory.h"
#include "sandbox/engine/engine_wire.h"

#include <math.h>
#include <signal.h>

static json_t *encode_sites(const struct card_result *result) {
    json_t *sites = json_array();
    for (size_t i = 0; i < result->site_count; i++) {
        json_t *frames = json_array();
        for (size_t k = 0; k < result->sites[i].count; k++)
            json_array_append_new(frames, protocol_bits(result->sites[i].frames[k]));
        json_array_append_new(sites,
                              json_pack("{s:I, s:o}", "number", (json_int_t)result->sites[i].number,
                                        "frames", frames));
    }
    return sites;
}

static json_t *encode_hazard_sites(const struct engine_result *found) {
    json_t *sites = json_array();
    for (size_t i = 0; i < found->hazard_count; i++)
        json_array_append_new(sites, json_pack("{s:I, s:I, s:b, s:b}", "site",
                                               (json_int_t)found->hazards[i].site, "other",
                                               (json_int_t)found->hazards[i].other_site,
                                               "unless_read", found->hazards[i].unless_read,
                                               "error_seen", found->hazards[i].error_seen));
    return sites;
}

static json_t *encode_crash(const struct card_crash *crash) {
    return json_pack("{s:I, s:I, s:o}", "signal", (json_int_t)crash->signal, "site",
                     (json_int_t)crash->at.site, "message", protocol_string(crash->at.message));
}

json_t *card_wire_encode_report(const struct card_result *result) {
    return json_pack(
        "{s:o, s:o, s:o, s:o, s:o, s:o, s:f, s:f, s:f, s:f, s:o, s:o, s:o, s:b}", "task",
        card_wire_encode_task(&result->task), "sites", encode_sites(result), "hazard_sites",
        encode_hazard_sites(&result->found), "crash", encode_crash(&result->crash), "found",
        engine_wire_encode_result(&result->found), "launches", protocol_bits(result->launches),
        "modelled_ms", result->modelled_ms, "modelled_sum_ms", result->modelled_sum_ms, "device_ms",
        result->device_ms, "waited_ms", result->waited_ms, "leaked_blocks",
        protocol_bits(result->leaked_blocks), "leaked_bytes", protocol_bits(result->leaked_bytes),
        "refused_bytes", protocol_bits(result->refused_bytes), "used", result->used);
}

static bool decode_site(const json_t *object, struct named_site *site) {
    struct protocol_reader reader = protocol_read(object);
    site->number = (uint32_t)protocol_unsigned(&reader, "number", UINT32_MAX);
    const json_t *frames = protocol_array(&reader, "frames", WIRE_SITE_FRAMES);
    site->count = frames ? json_array_size(frames) : 0;
    for (size_t i = 0; i < site->count; i++)
        if (!protocol_hex_of(json_array_get(frames, i), &site->frames[i]))
            protocol_fail(&reader, "frames");
    return protocol_end(&reader);
}

static bool decode_sites(const json_t *sites, struct card_result *result) {
    result->site_count = json_array_size(sites);
    result->sites = mem_calloc(result->site_count, sizeof *result->sites);
    for (size_t i = 0; i < result->site_count; i++)
        if (!decode_site(json_array_get(sites, i), &result->sites[i]))
            return false;
    return true;
}

static bool decode_hazard_sites(const json_t *sites, struct engine_result *found) {
    if (json_array_size(sites) != found->hazard_count)
        return false;
    for (size_t i = 0; i < found->hazard_count; i++) {
        struct protocol_reader reader = protocol_read(json_array_get(sites, i));
        found->hazards[i].site = (uint32_t)protocol_unsigned(&reader, "site", UINT32_MAX);
        found->hazards[i].other_site = (uint32_t)protocol_unsigned(&reader, "other", UINT32_MAX);
        found->hazards[i].error_seen = protocol_bool(&reader, "error_seen");
        found->hazards[i].unless_read = protocol_bool(&reader, "unless_read");
        if (!protocol_end(&reader))
            return false;
    }
    return true;
}

static bool decode_crash(const json_t *object, struct card_crash *crash) {
    struct protocol_reader reader = protocol_read(object);
    crash->signal = (int)protocol_unsigned(&reader, "signal", NSIG);
    crash->at.site = (uint32_t)protocol_unsigned(&reader, "site", UINT32_MAX);
    protocol_text(&reader, "message", crash->at.message, sizeof crash->at.message);
    return protocol_end(&reader);
}

bool card_wire_decode_report(const json_t *control, struct card_result *result,
                             const char **culprit) {
    struct protocol_reader reader = protocol_read(control);
    const json_t *found = protocol_object(&reader, "found");
    result->launches = protocol_hex(&reader, "launches");
    result->modelled_ms = protocol_number(&reader, "modelled_ms", 1e15);
    result->modelled_sum_ms = protocol_number(&reader, "modelled_sum_ms", 1e15);
    result->device_ms = protocol_number(&reader, "device_ms", 1e15);
    result->waited_ms = protocol_number(&reader, "waited_ms", 1e15);
    result->leaked_blocks = protocol_hex(&reader, "leaked_blocks");
    result->leaked_bytes = protocol_hex(&reader, "leaked_bytes");
    result->refused_bytes = protocol_hex(&reader, "refused_bytes");
    result->used = protocol_bool(&reader, "used");
    const json_t *task = protocol_object(&reader, "task");
    if (task && !card_wire_decode_task(task, &result->task))
        protocol_fail(&reader, "task");
    const json_t *sites = protocol_array(&reader, "sites", CARD_MAX_NAMED_SITES);
    const json_t *hazard_sites = protocol_array(&reader, "hazard_sites", ENGINE_MAX_HAZARDS);
    const json_t *crash = protocol_object(&reader, "crash");
    if (crash && !decode_crash(crash, &result->crash))
        protocol_fail(&reader, "crash");
    if (sites && !decode_sites(sites, result))
        protocol_fail(&reader, "sites");
    *culprit = reader.culprit ? reader.culprit : "report";
    return protocol_end(&reader) && engine_wire_decode_result(found, &result->found, culprit) &&
           decode_hazard_sites(hazard_sites, &result->found);
}
