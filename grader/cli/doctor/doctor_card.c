/* The part of `warpgrade doctor` about real cards: each one runs a kernel, in the jail, as a
 * submission's would, and its result is compared. Without a card nothing is wrong: grading needs
 * none. */
#include "grader/cli/doctor/doctor.h"

#include "sandbox/base/memory.h"
#include "sandbox/build/build.h"
#include "sandbox/cuda/lock.h"
#include "sandbox/cuda/session.h"

#include <stdlib.h>
#include <string.h>

enum { ELEMENTS = 1000, BLOCK = 128, OUT_OFFSET = 4096, DATA_BYTES = 8192 };

static const char source[] = "__global__ void thrice(const int *in, int *out, int n) {\n"
                             "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                             "    if (i < n)\n"
                             "        out[i] = 3 * in[i];\n"
                             "}\n";

static enum status compile(const struct cuda_card *card, struct build_result *result,
                           struct error *error) {
    char architecture[32];
    cuda_card_architecture(card, architecture, sizeof architecture);
    struct build_request request = {.file_name = "thrice.cu",
                                    .source = source,
                                    .source_length = sizeof source - 1,
                                    .kernel = "thrice",
                                    .architecture = architecture};
    enum status status = build_compile(&request, NULL, result, error);
    if (status == STATUS_OK && !result->compiled) {
        error_set(error, STATUS_ENVIRONMENT, "%s", result->message);
        build_result_free(result);
        return STATUS_ENVIRONMENT;
    }
    return status;
}

/* How many elements are wrong, or why nothing can be said. */
static enum status run_kernel(struct cuda_session *session, const struct build_result *build,
                              size_t *wrong, double *ms, struct error *error) {
    struct engine_argument arguments[] = {
        {.is_buffer = true,
         .type = ELEMENT_i32,
         .name = "in",
         .count = ELEMENTS,
         .read_only = true},
        {.is_buffer = true,
         .type = ELEMENT_i32,
         .name = "out",
         .count = ELEMENTS,
         .data_offset = OUT_OFFSET},
        {.type = ELEMENT_i32, .name = "n", .scalar = ELEMENTS},
    };
    _Alignas(256) int32_t data[DATA_BYTES / sizeof(int32_t)] = {0};
    for (int32_t i = 0; i < ELEMENTS; i++)
        data[i] = i - 50;
    struct cuda_launch launch = {.image = build->cubin,
                                 .image_length = build->cubin_length,
                                 .kernel = build->kernels[build->kernel_index].lowered,
                                 .grid = {(ELEMENTS + BLOCK - 1) / BLOCK, 1, 1},
                                 .block = {BLOCK, 1, 1},
                                 .arguments = arguments,
                                 .argument_count = ARRAY_LENGTH(arguments),
                                 .data = data,
                                 .data_length = sizeof data,
                                 .time = true};
    struct cuda_result result;
    enum status status = cuda_session_run(session, &launch, &result, error);
    if (status == STATUS_OK && result.end != CUDA_COMPLETED)
        status = error_set(error, STATUS_ENVIRONMENT, "%s", result.message);
    *wrong = result.hazard_count;
    *ms = result.event_ms;
    for (int32_t i = 0; i < ELEMENTS && status == STATUS_OK; i++)
        *wrong += data[OUT_OFFSET / sizeof *data + (size_t)i] != 3 * (i - 50);
    cuda_result_free(&result);
    return status;
}

static void check_extras(struct doctor *doctor, struct cuda_session *session) {
    const char *why;
    struct cuda_clocks clocks;
    if (cuda_session_has_blas(session, &why))
        doctor_row(doctor, "cuBLAS", DOCTOR_WORKS, "", "baselines of exercises that have one");
    else
        doctor_row(doctor, "cuBLAS", DOCTOR_MISSING, "A CUDA toolkit has it; set CUDA_HOME.", "%s",
                   why);
    if (cuda_session_clocks(session, &clocks, NULL) == STATUS_OK && clocks.available)
        doctor_row(doctor, "NVML", DOCTOR_WORKS, "", "SM clock %u of %u MHz%s%s", clocks.sm_mhz,
                   clocks.max_sm_mhz, *clocks.reasons ? ", slowed by: " : "", clocks.reasons);
    else
        doctor_row(doctor, "NVML", DOCTOR_MISSING, "The driver's libnvidia-ml.so.1 has it.",
                   "no clocks and no throttling in reports");
}

static void check_card(struct doctor *doctor, const struct cuda_card *card, bool first) {
    struct error error = {0};
    struct build_result build = {0};
    struct cuda_session *session = NULL;
    size_t wrong = 0;
    double ms = 0;
    int lock = -1;
    cleanup_free char *name = mem_printf("card %u", card->index);
    enum status status = cuda_card_check(card, &error);
    if (status == STATUS_OK)
        status = compile(card, &build, &error);
    if (status == STATUS_OK)
        status = cuda_lock_take(card, false, &lock, &error);
    if (status == STATUS_OK)
        status = cuda_session_open(card, CUDA_TRUSTED_BLAS, &session, &error);
    if (status == STATUS_OK)
        status = run_kernel(session, &build, &wrong, &ms, &error);
    if (status != STATUS_OK)
        doctor_row(doctor, name, DOCTOR_MISSING, error.hint, "%s: %s", card->name, error.message);
    else if (wrong)
        doctor_row(doctor, name, DOCTOR_MISSING, "`nvidia-smi` shows what the driver thinks of it.",
                   "%s computes wrong results: %zu of %d", card->name, wrong, ELEMENTS);
    else
        doctor_row(doctor, name, DOCTOR_WORKS, "", "%s, sm_%u%u, %.0f GB, CUDA %u.%u: a kernel ran",
                   card->name, card->major, card->minor, (double)card->memory_bytes / 1e9,
                   card->driver_version / 1000, card->driver_version % 1000 / 10);
    if (card->exclusive)
        doctor_row(doctor, name, DOCTOR_MISSING,
                   "`nvidia-smi -c DEFAULT` as root lets several processes in.",
                   "lets one process in at a time: a submission and its reference do not fit");
    if (session && first)
        check_extras(doctor, session);
    cuda_session_close(session);
    cuda_lock_release(&lock);
    build_result_free(&build);
}

void doctor_cards(struct doctor *doctor) {
    struct cuda_card *cards;
    struct error error = {0};
    size_t count;
    doctor_heading(doctor, "Cards (for --engine cuda and measured speed)");
    if (cuda_cards(&cards, &count, &error) != STATUS_OK) {
        doctor_row(doctor, "card", DOCTOR_MISSING, error.hint, "%s", error.message);
        return;
    }
    for (size_t i = 0; i < count; i++)
        check_card(doctor, &cards[i], i == 0);
    free(cards);
}
