/* The table of device.def, and how far a profile can be believed.
 *
 * A single assumed number says little: every profile has some. What counts is whether modelled
 * times rest mostly on assumptions, and whether anyone has compared these times with a card. Sizes
 * (SMs, registers, caches) are documented for every card, so they would only hide the assumptions:
 * the rates are counted by themselves. */
#include "sandbox/base/device.h"

#include <stdlib.h>

const char *const device_origin_names[DEVICE_ORIGIN_COUNT] = {
    [DEVICE_UNSAID] = "unsaid",
    [DEVICE_MEASURED] = "measured",
    [DEVICE_DOCUMENTED] = "documented",
    [DEVICE_ASSUMED] = "assumed",
};

const struct device_number device_numbers[DEVICE_NUMBER_COUNT] = {
#define DEVICE_FIELD(name, role, unit, low, high, summary)                                         \
    {#name, DEVICE_##role, unit, summary, low, high, offsetof(struct device_profile, name)},
#include "sandbox/base/device.def"
#undef DEVICE_FIELD
};

double device_value(const struct device_profile *device, size_t index) {
    return *(const double *)((const char *)device + device_numbers[index].offset);
}

static struct device_provenance count(const struct device_profile *device, bool sizes) {
    struct device_provenance provenance = {.checked = device->checked};
    for (size_t i = 0; i < DEVICE_NUMBER_COUNT; i++)
        if (sizes || device_numbers[i].role == DEVICE_RATE)
            provenance.counts[device->origins[i]]++;
    return provenance;
}

struct device_provenance device_provenance(const struct device_profile *device) {
    return count(device, true);
}

struct device_provenance device_rate_provenance(const struct device_profile *device) {
    return count(device, false);
}

unsigned device_provenance_total(const struct device_provenance *provenance) {
    unsigned total = 0;
    for (size_t i = 0; i < DEVICE_ORIGIN_COUNT; i++)
        total += provenance->counts[i];
    return total;
}

bool device_is_guess(const struct device_provenance *provenance) {
    return !provenance->checked &&
           2 * provenance->counts[DEVICE_ASSUMED] > device_provenance_total(provenance);
}

const char *device_describe_times(const struct device_provenance *rates) {
    return rates->checked ? "checked" : device_is_guess(rates) ? "a guess" : "";
}

void device_notes_free(struct device_notes *notes) {
    for (size_t i = 0; i < DEVICE_NUMBER_COUNT; i++)
        free(notes->numbers[i]);
    free(notes->checked);
    *notes = (struct device_notes){0};
}
