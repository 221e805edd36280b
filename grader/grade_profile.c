/* One kernel of an exercise at the size of the speed case: on a simulated device, for times and
 * counters, where of a large grid only a sample of blocks is executed; and all of it without a
 * device, for what it computes.
 *
 * The checks ran already, or are not asked for, and are off. What is launched is the PTX that the
 * checks see. */
#include "grader/grade_private.h"

#include "grader/base/clock.h"
#include "grader/base/file.h"
#include "grader/base/memory.h"
#include "grader/base/text.h"

#include <stdlib.h>
#include <string.h>

enum { OLDEST_PTXAS = 75, BUILD_CAPABILITY = 80 };

/* The PTX as if it had been made for an older device: nothing but its target differs, as long as it
 * uses nothing that is newer. Caller frees; NULL where it names no target. */
static char *retarget(const struct build_result *build, unsigned capability, size_t *length) {
    static const char mark[] = "\n.target sm_";
    const char *target = memmem(build->ptx, build->ptx_length, mark, sizeof mark - 1);
    if (!target)
        return NULL;
    const char *rest = target + sizeof mark - 1;
    rest += strspn(rest, "0123456789");
    struct text out = {0};
    text_append_bytes(&out, build->ptx, (size_t)(target - build->ptx));
    text_printf(&out, "%s%u", mark, capability);
    text_append_bytes(&out, rest, build->ptx_length - (size_t)(rest - build->ptx));
    *length = out.length;
    return text_steal(&out);
}

static enum status compile_for(const struct grade_run *run, const struct grade_source *source,
                               unsigned capability, const char *real,
                               const struct worker_limits *limits,
                               struct build_resources *resources, struct error *error) {
    char virtual_name[24];
    snprintf(virtual_name, sizeof virtual_name, "compute_%u", capability);
    struct build_request request = {.file_name = run->file_name,
                                    .source = source->text,
                                    .source_length = source->length,
                                    .kernel = run->exercise->kernel,
                                    .architecture = virtual_name};
    struct build_result build;
    enum status status = build_compile(&request, limits, &build, error);
    if (status != STATUS_OK)
        return status;
    if (build.compiled)
        status =
            build_resources(build.ptx, build.ptx_length, build.kernels[build.kernel_index].lowered,
                            real, limits, resources, error);
    else
        status = error_set(error, STATUS_INVALID, "%s", build.message);
    build_result_free(&build);
    return status;
}

/* ptxas refuses PTX for a newer device than its own. Where the PTX uses something newer, too, the
 * source is compiled again, for nothing but the number of registers. */
static enum status resources_for(const struct grade_run *run, const struct grade_source *source,
                                 unsigned capability, struct build_resources *resources,
                                 struct error *error) {
    const struct build_result *build = &run->kernel->build;
    struct worker_limits limits = {0};
    char real[16];
    snprintf(real, sizeof real, "sm_%u", capability);
    if (capability >= BUILD_CAPABILITY)
        return build_resources(build->ptx, build->ptx_length, run->kernel->lowered, real, &limits,
                               resources, error);
    size_t length = 0;
    cleanup_free char *older = retarget(build, capability, &length);
    enum status status = older ? build_resources(older, length, run->kernel->lowered, real, &limits,
                                                 resources, error)
                               : STATUS_INVALID;
    if (status != STATUS_INVALID) /* ptxas that cannot be run now says nothing of the kernel */
        return status;
    return compile_for(run, source, capability, real, &limits, resources, error);
}

enum status grade_registers(const struct grade_run *run, const struct grade_source *source,
                            const struct device_profile *device, unsigned *registers,
                            struct error *error) {
    struct build_resources resources;
    unsigned capability = (unsigned)device->compute_capability;
    *registers = 0;
    enum status status = resources_for(
        run, source, capability < OLDEST_PTXAS ? OLDEST_PTXAS : capability, &resources, error);
    if (status == STATUS_OK)
        *registers = resources.registers_per_thread;
    return status;
}

/* Does ptxas assemble what nobody handed in? The time keeps the question from what was asked
 * before, which the build's cache would answer. */
static bool ptxas_works(void) {
    cleanup_free char *ptx = mem_printf(".version 6.3\n.target sm_%d\n.address_size 64\n// %.0f\n"
                                        ".visible .entry nothing()\n{\n    ret;\n}\n",
                                        OLDEST_PTXAS, 1e3 * clock_ms());
    cleanup_free char *real = mem_printf("sm_%d", BUILD_CAPABILITY);
    struct worker_limits limits = {0};
    struct build_resources resources;
    return build_resources(ptx, strlen(ptx), "nothing", real, &limits, &resources, NULL) ==
           STATUS_OK;
}

enum status grade_speed_registers(const struct grade_run *run, const struct grade_source *source,
                                  const struct device_profile *device, unsigned *registers,
                                  struct error *error) {
    struct build_toolchain toolchain;
    struct error cause = {0};
    build_toolchain_find(&toolchain, NULL);
    enum status status = STATUS_ENVIRONMENT;
    for (int i = 0; i < 2 && toolchain.ptxas[0] && status == STATUS_ENVIRONMENT; i++)
        status = grade_registers(run, source, device, registers, &cause);
    /* A kernel on which ptxas alone dies is one that it refuses, and must not stop a whole class.
     */
    if (!toolchain.ptxas[0] || status != STATUS_ENVIRONMENT || ptxas_works())
        return STATUS_OK;
    if (error)
        *error = cause;
    return status;
}

static enum status launch(const struct grade_run *run, const struct plan_launch *planned,
                          size_t index, const struct grade_device *device,
                          struct engine_result *result, void **data, struct error *error) {
    *data = mem_zalloc(planned->data_length + 1);
    plan_fill(run->plan, index, PLAN_SUBMISSION, planned, *data);
    struct engine_launch request = grade_request(run, planned, *data, device->budget);
    struct worker_limits limits = grade_limits(run);
    request.no_checks = true;
    request.device = device->profile;
    request.registers = device->registers;
    request.sample_budget = device->sample_budget;
    return engine_run(&request, &limits, result, error);
}

enum status grade_profile(const struct grade_run *run, const struct plan_launch *planned,
                          size_t index, const struct grade_device *device,
                          struct engine_result *result, struct error *error) {
    cleanup_free void *data = NULL;
    return launch(run, planned, index, device, result, &data, error);
}

enum status grade_whole(const struct grade_run *run, const struct plan_launch *planned,
                        size_t index, uint64_t budget, struct engine_result *result, void **data,
                        struct error *error) {
    const struct grade_device none = {.budget = budget};
    return launch(run, planned, index, &none, result, data, error);
}

/* ---- the door -------------------------------------------------------------------------------- */

static enum status profile_planned(struct grade_run *run, const struct grade_source *source,
                                   const struct grade_profile_request *request,
                                   struct grade_profiled *out, struct error *error) {
    const struct plan_case *planned = &run->plan->cases[0];
    struct plan_launch bound;
    struct error cause = {0};
    struct grade_device device = {.profile = &out->device,
                                  .sample_budget = request->sample,
                                  .budget = request->sample * GRADE_SAMPLE_BUDGET};
    enum status status = grade_bind(run, 0, &bound, error);
    if (status != STATUS_OK)
        return status;
    if (grade_registers(run, source, &out->device, &out->registers, &cause) != STATUS_OK)
        out->registers_problem = mem_strdup(cause.message);
    device.registers = out->registers;
    status = grade_profile(run, &bound, 0, &device, &out->result, error);
    out->grid = bound.grid;
    out->block = bound.block;
    out->shared_bytes = bound.shared_bytes;
    out->case_name = mem_strdup(planned->name);
    out->size_count = planned->size_count;
    out->sizes = mem_calloc(planned->size_count + 1, sizeof *out->sizes);
    for (size_t i = 0; i < planned->size_count; i++)
        out->sizes[i] =
            (struct report_size){mem_strdup(planned->sizes[i].name), planned->sizes[i].value};
    plan_launch_free(&bound);
    return status;
}

enum status grade_profile_kernel(struct grade_session *session, const struct exercise *exercise,
                                 const struct grade_source *source,
                                 const struct grade_profile_request *request,
                                 struct grade_profiled *out, struct error *error) {
    *out = (struct grade_profiled){.device = session->device};
    struct exercise shaped = *exercise;
    struct plan *plan;
    enum status status = STATUS_OK;
    if (request->tuned) {
        shaped.launch = exercise->tuned.launch;
        shaped.kernel = exercise->tuned.kernel;
    }
    if (!session->has_device)
        status = device_load(exercise->device ? exercise->device : GRADE_DEFAULT_DEVICE,
                             &out->device, error);
    if (status == STATUS_OK)
        status = plan_make(&shaped, session->seed, request->case_name, &plan, error);
    if (status != STATUS_OK)
        return status;
    status = grade_build(&shaped, source, &out->kernel, error);
    if (status == STATUS_OK && !out->kernel.message) {
        struct grade_run run = {.session = session,
                                .exercise = &shaped,
                                .plan = plan,
                                .kernel = &out->kernel,
                                .file_name = file_base_name(source->file)};
        status = profile_planned(&run, source, request, out, error);
    }
    plan_free(plan);
    return status;
}

void grade_profiled_free(struct grade_profiled *profiled) {
    grade_kernel_free(&profiled->kernel);
    engine_result_free(&profiled->result);
    for (size_t i = 0; i < profiled->size_count; i++)
        free(profiled->sizes[i].name);
    free(profiled->sizes);
    free(profiled->case_name);
    free(profiled->registers_problem);
    *profiled = (struct grade_profiled){0};
}
