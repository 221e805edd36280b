/* lines_resolve(): asks addr2line(1) in a jail of its own. Where it is not there, or the program
 * has no line information, findings keep what they have. */
#include "sandbox/card/card_lines.h"

#include "sandbox/base/memory.h"
#include "sandbox/isolation/jail.h"

#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

/* It comes with the linker that nvcc needs, too. */
static const char reader[] = "/usr/bin/addr2line";

static const struct jail_limits limits = {
    .wall_seconds = 20, .memory_bytes = (uint64_t)1 << 30, .output_bytes = 4 << 20};

static void ask(const char *program, const struct named_site *sites, size_t site_count,
                struct line_frame *frames) {
    const char *const argv[] = {reader, "-a", "-f", "-i", "-C", "-e", program, NULL};
    const char *const shown[] = {program, NULL};
    cleanup_text struct text addresses = {0};
    for (size_t i = 0; i < site_count; i++)
        for (size_t k = 0; k < WIRE_SITE_FRAMES; k++)
            text_printf(&addresses, "%" PRIx64 "\n", k < sites[i].count ? sites[i].frames[k] : 0);
    const struct jail_spec spec = {.profile = JAIL_HOST_CODE,
                                   .program = reader,
                                   .argv = argv,
                                   .request = addresses.data,
                                   .request_length = addresses.length,
                                   .data_fd = -1,
                                   .shown = shown,
                                   .limits = limits};
    struct jail_result result;
    struct error error;
    if (jail_run(&spec, &result, &error) == STATUS_OK)
        lines_parse(text_string(&result.response), result.response.length, frames,
                    site_count * WIRE_SITE_FRAMES);
    jail_result_free(&result);
}

void lines_resolve(const char *program, const struct named_site *sites, size_t site_count,
                   struct hazard *hazards, size_t hazard_count) {
    size_t count = site_count * WIRE_SITE_FRAMES;
    struct line_frame *frames = mem_calloc(count, sizeof *frames);
    if (site_count && access(reader, X_OK) == 0)
        ask(program, sites, site_count, frames);
    lines_fill(sites, frames, site_count, hazards, hazard_count);
    for (size_t i = 0; i < count; i++)
        free(frames[i].places);
    free(frames);
}
