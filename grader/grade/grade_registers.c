/* How many registers ptxas gives a kernel on a simulated device, and whether it takes it at all.
 *
 * NVRTC copies inline PTX unread, and the simulated GPU decodes instructions of every device. What
 * ptxas refuses would run on none: it must not pass where there is no card, nor have a modelled
 * time that no register limits.
 *
 * A session asks once for each kernel and device: the tuned kernel and the submission are compiled
 * at the same time, on threads of their own, and a class hands in the same kernel more than once.
 * What has failed is not remembered, and the next caller tries again. */
#include "grader/grade/grade_private.h"

#include "sandbox/base/clock.h"
#include "sandbox/base/hash.h"
#include "sandbox/base/memory.h"
#include "sandbox/base/text.h"

#include <stdlib.h>
#include <string.h>

enum { OLDEST_PTXAS = 75, BUILD_CAPABILITY = 80, NEWEST_CAPABILITY = 90 };

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
                                    .headers = run->exercise->headers,
                                    .header_count = run->exercise->header_count,
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

/* ptxas refuses PTX for a newer device than its own, and in PTX for an older one what that has not.
 * Where the kernel needs more than another target, the source is compiled again, for nothing but
 * the number of registers; not where ptxas gave up on it, which would only do so once more. */
static enum status resources_for(const struct grade_run *run, const struct grade_source *source,
                                 unsigned capability, struct build_resources *resources,
                                 struct error *error) {
    const struct build_result *build = &run->kernel->build;
    struct worker_limits limits = {0};
    char real[16];
    snprintf(real, sizeof real, "sm_%u", capability);
    enum status status;
    *resources = (struct build_resources){0};
    if (capability >= BUILD_CAPABILITY) {
        status = build_resources(build->ptx, build->ptx_length, run->kernel->lowered, real, &limits,
                                 resources, error);
    } else {
        size_t length = 0;
        cleanup_free char *older = retarget(build, capability, &length);
        status = older ? build_resources(older, length, run->kernel->lowered, real, &limits,
                                         resources, error)
                       : STATUS_INVALID;
    }
    /* ptxas that cannot be run now says nothing of the kernel */
    if (status != STATUS_INVALID || resources->gave_up || capability == BUILD_CAPABILITY)
        return status;
    return compile_for(run, source, capability, real, &limits, resources, error);
}

static enum status resources_on(const struct grade_run *run, const struct grade_source *source,
                                const struct device_profile *device,
                                struct build_resources *resources, struct error *error) {
    unsigned capability = (unsigned)device->compute_capability;
    return resources_for(run, source, capability < OLDEST_PTXAS ? OLDEST_PTXAS : capability,
                         resources, error);
}

enum status grade_registers(const struct grade_run *run, const struct grade_source *source,
                            const struct device_profile *device, struct build_resources *resources,
                            struct error *error) {
    enum status status = resources_on(run, source, device, resources, error);
    if (status != STATUS_OK)
        *resources = (struct build_resources){0};
    return status;
}

/* Does ptxas assemble code that is no submission, in the PTX that NVRTC writes here? One of an
 * older toolkit does not. The time keeps the question from what was asked before, which the build's
 * cache would answer. */
static bool ptxas_works(const struct build_result *build) {
    static const char mark[] = "\n.version ";
    const char *version = memmem(build->ptx, build->ptx_length, mark, sizeof mark - 1);
    cleanup_free char *number = version
                                    ? mem_strndup(version + sizeof mark - 1,
                                                  strspn(version + sizeof mark - 1, "0123456789."))
                                    : mem_strdup("6.3");
    cleanup_free char *ptx = mem_printf(".version %s\n.target sm_%d\n.address_size 64\n// %.0f\n"
                                        ".visible .entry nothing()\n{\n    ret;\n}\n",
                                        number, OLDEST_PTXAS, 1e3 * clock_ms());
    cleanup_free char *real = mem_printf("sm_%d", BUILD_CAPABILITY);
    struct worker_limits limits = {0};
    struct build_resources resources;
    return build_resources(ptx, strlen(ptx), "nothing", real, &limits, &resources, NULL) ==
           STATUS_OK;
}

/* Where the device's own compiler refuses a kernel that another one takes (cp.async for a T4), that
 * one's registers are as good a guess as there is. A kernel that takes ptxas longer than it may is
 * not tried again: a caller is waiting, perhaps for a wrong kernel. */
static enum status ask_for_any(const struct grade_run *run, const struct grade_source *source,
                               const struct device_profile *device, struct grade_assembly *out,
                               struct error *error) {
    static const unsigned others[] = {BUILD_CAPABILITY, NEWEST_CAPABILITY};
    struct build_resources resources;
    enum status status = resources_on(run, source, device, &resources, error);
    for (size_t i = 0; i < ARRAY_LENGTH(others); i++)
        if (status == STATUS_INVALID && !resources.gave_up &&
            others[i] != (unsigned)device->compute_capability)
            status = resources_for(run, source, others[i], &resources, error);
    bool known = status == STATUS_OK;
    out->registers = known ? resources.registers_per_thread : 0;
    out->arrays_in_registers = known && build_arrays_in_registers(&resources);
    return status;
}

/* STATUS_INVALID: ptxas refuses it. */
static enum status ask_ptxas(const struct grade_run *run, const struct grade_source *source,
                             const struct device_profile *device, struct grade_assembly *out,
                             struct error *error) {
    struct build_toolchain toolchain;
    build_toolchain_find(&toolchain, NULL);
    if (!toolchain.ptxas[0])
        return STATUS_OK;
    enum status status = STATUS_ENVIRONMENT;
    for (int i = 0; i < 2 && status == STATUS_ENVIRONMENT; i++)
        status = ask_for_any(run, source, device, out, error);
    /* A kernel on which ptxas alone dies is one that it refuses, and must not stop a whole class. A
     * ptxas that refuses every kernel must not cost a whole class its points. */
    if (status == STATUS_OK || ptxas_works(&run->kernel->build))
        return status == STATUS_OK ? STATUS_OK : STATUS_INVALID;
    if (status == STATUS_INVALID)
        error_hint(error, "%s takes no kernel at all: it must be of a toolkit as new as NVRTC.",
                   toolchain.ptxas);
    return STATUS_ENVIRONMENT;
}

/* ---- once a session -------------------------------------------------------------------------- */

struct grade_registers {
    struct sha256 key;
    bool busy, known; /* a thread is asking; it has been reported */
    struct grade_assembly found;
    struct grade_registers *next;
};

void grade_registers_free(struct grade_registers *list) {
    while (list) {
        struct grade_registers *next = list->next;
        free((char *)list->found.refusal);
        free(list);
        list = next;
    }
}

static struct sha256 registers_key(const struct grade_run *run, const struct grade_source *source,
                                   const struct device_profile *device) {
    const struct build_result *build = &run->kernel->build;
    struct hash_part parts[] = {
        {build->ptx, build->ptx_length},
        {run->kernel->lowered, strlen(run->kernel->lowered)},
        {source->text, source->length}, /* for devices that the PTX is too new for */
        {run->file_name, strlen(run->file_name)},
        {&device->compute_capability, sizeof device->compute_capability},
    };
    return hash_parts(parts, ARRAY_LENGTH(parts));
}

/* Session locked. */
static struct grade_registers *find_entry(struct grade_session *session, const struct sha256 *key) {
    struct grade_registers *entry = session->registers;
    while (entry && memcmp(&entry->key, key, sizeof *key) != 0)
        entry = entry->next;
    if (entry)
        return entry;
    entry = mem_zalloc(sizeof *entry);
    entry->key = *key;
    entry->next = session->registers;
    session->registers = entry;
    return entry;
}

enum status grade_speed_registers(const struct grade_run *run, const struct grade_source *source,
                                  const struct device_profile *device, struct grade_assembly *out,
                                  struct error *error) {
    struct grade_session *session = run->session;
    struct sha256 key = registers_key(run, source, device);
    pthread_mutex_lock(&session->tuned_mutex);
    struct grade_registers *entry = find_entry(session, &key);
    while (entry->busy)
        pthread_cond_wait(&session->tuned_changed, &session->tuned_mutex);
    bool known = entry->known;
    entry->busy = !known;
    *out = entry->found;
    pthread_mutex_unlock(&session->tuned_mutex);
    if (known)
        return STATUS_OK;
    struct error cause = {0};
    enum status status = ask_ptxas(run, source, device, out, &cause);
    if (status == STATUS_INVALID)
        out->refusal = mem_strdup(cause.message);
    else if (status != STATUS_OK && error)
        *error = cause;
    known = status == STATUS_OK || status == STATUS_INVALID;
    pthread_mutex_lock(&session->tuned_mutex);
    entry->busy = false;
    entry->known = known;
    if (known)
        entry->found = *out;
    pthread_cond_broadcast(&session->tuned_changed);
    pthread_mutex_unlock(&session->tuned_mutex);
    return known ? STATUS_OK : status;
}
