/* One kernel of an exercise at the size of the speed case: on a simulated device, for times and
 * counters, where of a large grid only a sample of blocks is executed; and all of it without a
 * device, for what it computes.
 *
 * The checks ran already, or are not asked for, and are off. What is launched is the PTX that the
 * checks see. */
#include "grader/grade/grade_device.h"
#include "grader/grade/grade_report.h"

#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"
#include "sandbox/base/text.h"

#include <stdlib.h>
#include <string.h>

void *grade_fill(const struct grade_run *run, const struct plan_launch *planned, size_t index) {
    void *data = mem_zalloc(planned->data_length + 1);
    mem_expect_use(data, planned->data_length);
    plan_fill(run->plan, index, PLAN_SUBMISSION, planned, data);
    return data;
}

static enum status launch(const struct grade_run *run, const struct plan_launch *planned,
                          const struct grade_device *device, bool keeps_data, void *data,
                          struct engine_result *result, struct error *error) {
    struct engine_launch request = grade_request(run, planned, data, device->budget);
    struct worker_limits limits = grade_limits(run);
    request.keeps_data = keeps_data;
    request.no_checks = true;
    request.device = device->profile;
    request.registers = device->registers;
    request.arrays_in_registers = device->arrays_in_registers;
    request.sample_budget = device->sample_budget;
    request.wanted_elements = device->wanted_elements;
    return grade_run_sampled(&request, &limits, device->growth, result, error);
}

enum status grade_profile(const struct grade_run *run, const struct plan_launch *planned,
                          const struct grade_device *device, void *data,
                          struct engine_result *result, struct error *error) {
    return launch(run, planned, device, true, data, result, error);
}

enum status grade_whole(const struct grade_run *run, const struct plan_launch *planned,
                        uint64_t budget, void *data, struct engine_result *result,
                        struct error *error) {
    const struct grade_device none = {.budget = budget};
    return launch(run, planned, &none, false, data, result, error);
}

/* ---- the door -------------------------------------------------------------------------------- */

static void take_sizes(const struct exercise_size *sizes, size_t count,
                       struct grade_profiled *out) {
    out->size_count = count;
    out->sizes = grade_report_sizes(sizes, count);
}

/* At the sizes of the case. */
static enum status profile_case(struct grade_run *run, const struct grade_device *device,
                                struct grade_profiled *out, struct error *error) {
    const struct plan_case *planned = &run->plan->cases[0];
    struct plan_launch bound;
    enum status status = grade_bind(run, 0, &bound, error);
    if (status != STATUS_OK)
        return status;
    cleanup_free void *data = grade_fill(run, &bound, 0);
    status = grade_profile(run, &bound, device, data, &out->result, error);
    out->grid = bound.grid;
    out->block = bound.block;
    out->shared_bytes = bound.shared_bytes;
    take_sizes(planned->sizes, planned->size_count, out);
    plan_launch_free(&bound);
    return status;
}

/* What the grade of the speed case rests on; false where there is nothing of it. */
static bool profile_large(const struct grade_run *run, const struct grade_device *device,
                          struct grade_profiled *out) {
    struct grade_large large;
    const struct exercise *exercise = run->exercise;
    if (run->plan->cases[0].group != GROUP_SPEED || !grade_has_large(exercise) ||
        !device->sample_budget || grade_device_large(run, device, &large, NULL) != STATUS_OK ||
        !large.known)
        return false;
    out->result = large.result;
    out->grid = large.grid;
    out->block = large.block;
    out->shared_bytes = large.shared_bytes;
    take_sizes(exercise->modelled_sizes, exercise->modelled_size_count, out);
    return true;
}

static enum status profile_planned(struct grade_run *run, const struct grade_source *source,
                                   const struct grade_profile_request *request,
                                   struct grade_profiled *out, struct error *error) {
    struct error cause = {0};
    struct grade_device device = {.profile = &out->device,
                                  .sample_budget = request->sample,
                                  .budget = request->sample * GRADE_SAMPLE_BUDGET,
                                  .growth = grade_profile_growth(request->sample, 0)};
    struct build_resources resources;
    if (grade_registers(run, source, &out->device, &resources, &cause) != STATUS_OK)
        out->registers_problem = mem_strdup(cause.message);
    device.registers = out->registers = resources.registers_per_thread;
    device.arrays_in_registers = build_arrays_in_registers(&resources);
    out->case_name = mem_strdup(run->plan->cases[0].name);
    return profile_large(run, &device, out) ? STATUS_OK : profile_case(run, &device, out, error);
}

enum status grade_profile_kernel(struct grade_session *session, const struct exercise *exercise,
                                 const struct grade_source *source,
                                 const struct grade_profile_request *request,
                                 struct grade_profiled *out, struct error *error) {
    *out = (struct grade_profiled){.device = session->device};
    if (exercise_has_host_code(exercise)) {
        error_set(error, STATUS_INVALID, "%s has host code, and a profile is one kernel's",
                  exercise->id);
        error_hint(error, "`warpgrade grade` shows the time of all its launches and copies.");
        return STATUS_INVALID;
    }
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
