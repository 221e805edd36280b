/* How long work takes on the modelled card.
 *
 * Copies go over PCI Express at the rate that the card's generation reaches with pinned memory, and
 * at a lower one where the host's memory is pageable and is copied twice. The time of a launch is
 * the cost model's, and not below what its counters say: instructions through the schedulers, bytes
 * through the memory. */
#include "sandbox/card/card_private.h"

static const double copy_ns = 2000; /* of the smallest one: assumed */

/* Bytes a nanosecond of 16 lanes; assumed: 80 % of what the generation's lanes carry. */
static double link_rate(const struct device_profile *device) {
    return device->compute_capability >= 90 ? 50 : device->compute_capability >= 80 ? 25 : 12.5;
}

double card_bytes_ns(const struct card *card, uint64_t bytes) {
    return copy_ns + (double)bytes / link_rate(card->common->device);
}

double card_host_copy_ns(const struct card *card, const struct card_request *request) {
    double rate = link_rate(card->common->device), pageable = rate / 2 < 10 ? rate / 2 : 10;
    bool first = !request->head.argument[2], pinned = request->head.argument[3];
    return (first ? copy_ns : 0) + (double)request->head.argument[1] / (pinned ? rate : pageable);
}

double card_device_copy_ns(const struct card *card, uint64_t bytes) {
    return copy_ns + (double)bytes / card->common->device->dram_gbps;
}

double card_launch_share(const struct card *card, const struct engine_launch *launch) {
    const struct device_profile *device = card->common->device;
    double blocks = (double)launch->grid.x * launch->grid.y * launch->grid.z;
    double warps = ((double)launch->block.x * launch->block.y * launch->block.z + 31) / 32;
    double per_sm = device->warps_per_sm / warps;
    per_sm = per_sm < 1 ? 1 : per_sm > device->blocks_per_sm ? device->blocks_per_sm : per_sm;
    double share = blocks / (device->multiprocessors * per_sm);
    return share < 1 ? share : 1;
}

double card_launch_ns(struct card *card, struct sim_module *module,
                      const struct engine_launch *launch, const struct engine_result *result) {
    const struct device_profile *device = card->common->device;
    const struct counters *counters = &result->counters;
    double issues = device->multiprocessors * device->schedulers_per_sm * device->clock_mhz * 1e-3;
    double instructions = (double)counters->warp_instructions / issues;
    double bytes = 32.0 * (double)(counters->global_load_sectors + counters->global_store_sectors);
    double memory = bytes / device->dram_gbps;
    double bound = device->launch_us * 1e3 + (instructions > memory ? instructions : memory);
    return card_model_ns(card, module, launch, result, bound);
}
