/* The supervisor's side of the probes: runs each attempt as a submission is run, and judges what
 * came of it. An attempt that must be ended by a limit holds when that limit ended it, with the
 * figure; another one when its worker says that nothing worked. */
#include "sandbox/worker/probe.h"

#include "sandbox/isolation/jail_private.h"
#include "sandbox/worker/probe_private.h"
#include "sandbox/worker/protocol.h"

#include "sandbox/base/memory.h"
#include "sandbox/worker/worker.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

const struct probe_info probe_infos[PROBE_COUNT] = {
#define PROBE(id, name, guard, profile, limit, what) {name, what, JAIL_GUARD_##guard},
#include "sandbox/worker/probe.def"
#undef PROBE
};

static const struct {
    enum jail_profile profile;
    enum jail_limit limit;
} plans[PROBE_COUNT] = {
#define PROBE(id, name, guard, profile, limit, what) {JAIL_##profile, JAIL_LIMIT_##limit},
#include "sandbox/worker/probe.def"
#undef PROBE
};

/* Small, so that an attempt that is not stopped costs the machine nothing. */
static const struct jail_limits tight[PROBE_COUNT] = {
    [PROBE_WALL] = {.wall_seconds = 0.2},
    [PROBE_CPU] = {.cpu_seconds = 0.2},
    [PROBE_MEMORY] = {.memory_bytes = PROBE_MEMORY_BYTES / 4},
    [PROBE_PROCESSES] = {.processes = PROBE_FORKS / 4},
    [PROBE_OUTPUT] = {.output_bytes = PROBE_OUTPUT_BYTES / 4},
    [PROBE_FILE_SIZE] = {.file_bytes = PROBE_FILE_BYTES / 4},
};

/* ---- the request ----------------------------------------------------------------------------- */

/* "pid:[4026531836]" of each name space that we are in. */
static void append_namespaces(struct text *request) {
    for (size_t i = 0; i < probe_namespace_count; i++) {
        char link[128];
        cleanup_free char *path = mem_printf("/proc/self/ns/%s", probe_namespaces[i]);
        ssize_t length = readlink(path, link, sizeof link - 1);
        link[length > 0 ? length : 0] = '\0';
        text_printf(request, "%s\n", link);
    }
}

static bool is_within(const char *path, const char *folder) {
    size_t length = strlen(folder);
    return strncmp(path, folder, length) == 0 && (path[length] == '/' || !path[length]);
}

/* The root and /usr are there inside, too: other ones. */
static void append_paths(struct text *request, const char *const *paths) {
    static const char *const always[] = {"/etc/passwd", "/etc/shadow", "/home", "/root",
                                         "/run",        "/sys",        "/tmp",  "/var"};
    for (size_t i = 0; i < ARRAY_LENGTH(always); i++)
        text_printf(request, "%s\n", always[i]);
    for (; paths && *paths; paths++)
        if (!strchr(*paths, '\n') && (*paths)[1] && !is_within(*paths, "/usr"))
            text_printf(request, "%s\n", *paths);
}

static void write_request(enum probe probe, const char *part, const char *const *unreadable,
                          struct text *request) {
    cleanup_text struct text lines = {0};
    if (probe == PROBE_NAMESPACES)
        append_namespaces(&lines);
    else if (probe == PROBE_FILES || probe == PROBE_NAMES)
        append_paths(&lines, unreadable);
    else if (probe == PROBE_OTHERS)
        text_printf(&lines, "%d\n", (int)getpid());
    else if (probe == PROBE_USER)
        text_printf(&lines, "%u\n", (unsigned)geteuid());
    protocol_frame(request, json_pack("{s:i, s:s}", "probe", (int)probe, "part", part),
                   text_string(&lines), lines.length);
}

static const char *role_of(enum probe probe) {
    if (probe == PROBE_LANDLOCK)
        return PROBE_ROLE_LANDLOCK;
    return plans[probe].profile == JAIL_SIMULATOR ? PROBE_ROLE_SIMULATOR : PROBE_ROLE_TOOLS;
}

/* ---- one attempt ----------------------------------------------------------------------------- */

static enum status attempt(enum probe probe, const char *part, const char *const *unreadable,
                           struct jail_result *result, struct error *error) {
    const char *argv[] = {WORKER_NAME, role_of(probe), NULL};
    cleanup_free char *program = worker_program();
    cleanup_text struct text request = {0};
    write_request(probe, part, unreadable, &request);
    const struct jail_spec spec = {.profile = plans[probe].profile,
                                   .program = program,
                                   .argv = argv,
                                   .request = request.data,
                                   .request_length = request.length,
                                   .data_fd = -1,
                                   .limits = tight[probe]};
    return jail_run(&spec, result, error);
}

static void say(struct probe_result *result, const char *text, size_t length) {
    snprintf(result->found, sizeof result->found, "%.*s",
             (int)(length < sizeof result->found ? length : sizeof result->found - 1), text);
}

/* The worker's word: "held ..." or "broken ...". */
static void judge_word(const struct jail_result *jail, struct probe_result *result) {
    static const char held[] = "held ", broken[] = "broken ";
    const char *word = text_string(&jail->response);
    if (jail->exit_code == 0 && strncmp(word, held, sizeof held - 1) == 0) {
        result->holds = true;
        say(result, word + sizeof held - 1, strlen(word) - (sizeof held - 1));
    } else if (jail->exit_code == 0 && strncmp(word, broken, sizeof broken - 1) == 0) {
        say(result, word + sizeof broken - 1, strlen(word) - (sizeof broken - 1));
    } else if (jail->limit != JAIL_LIMIT_NONE) {
        char limit[96];
        jail_limit_describe(jail, limit, sizeof limit);
        snprintf(result->found, sizeof result->found, "the attempt did not end by itself: %s",
                 limit);
    } else {
        snprintf(result->found, sizeof result->found,
                 "the attempt ended with exit code %d, signal %d: %.200s", jail->exit_code,
                 jail->signal, text_string(&jail->messages));
    }
}

static void judge_limit(enum jail_limit expected, const struct jail_result *jail,
                        struct probe_result *result) {
    char limit[96];
    /* Builds with AddressSanitizer have its limit, which the program enforces on itself. */
    if (JAIL_ASAN && expected == JAIL_LIMIT_MEMORY &&
        strstr(text_string(&jail->messages), "hard rss limit exhausted")) {
        result->holds = true;
        snprintf(result->found, sizeof result->found, "memory limit: AddressSanitizer's own");
        return;
    }
    if (jail->limit != expected) {
        judge_word(jail, result);
        return;
    }
    result->holds = true;
    jail_limit_describe(jail, limit, sizeof limit);
    if (expected == JAIL_LIMIT_WALL || expected == JAIL_LIMIT_CPU)
        snprintf(result->found, sizeof result->found, "%s after %.2f s", limit,
                 (expected == JAIL_LIMIT_WALL ? jail->wall_ms : jail->cpu_ms) / 1e3);
    else
        snprintf(result->found, sizeof result->found, "%s", limit);
}

/* Every call in a run of its own: each must end the program. */
static enum status run_calls(struct probe_result *result, struct error *error) {
    cleanup_text struct text through = {0};
    size_t count = probe_call_count();
    for (size_t i = 0; i < count; i++) {
        struct jail_result jail;
        enum status status = attempt(PROBE_CALLS, probe_call_name(i), NULL, &jail, error);
        struct probe_result one = {0};
        judge_limit(JAIL_LIMIT_SYSCALL, &jail, &one);
        jail_result_free(&jail);
        if (status != STATUS_OK)
            return status;
        if (!one.holds)
            text_printf(&through, "%s%s: %s", through.length ? "; " : "", probe_call_name(i),
                        one.found);
    }
    result->holds = through.length == 0;
    if (result->holds)
        snprintf(result->found, sizeof result->found,
                 "each of %zu hostile ones ends the program: %s, %s, %s ...", count,
                 probe_call_name(0), probe_call_name(1), probe_call_name(2));
    else
        say(result, text_string(&through), through.length);
    return STATUS_OK;
}

enum status probe_run(enum probe probe, const char *const *unreadable, struct probe_result *result,
                      struct error *error) {
    *result = (struct probe_result){0};
    if (probe == PROBE_CALLS)
        return run_calls(result, error);
    if (JAIL_ASAN && probe == PROBE_SEAL) {
        result->holds = true;
        snprintf(result->found, sizeof result->found,
                 "not tried: a build with AddressSanitizer, for tests only, does without the seal");
        return STATUS_OK;
    }
    struct jail_result jail;
    enum status status = attempt(probe, "", unreadable, &jail, error);
    if (status == STATUS_OK && plans[probe].limit != JAIL_LIMIT_NONE)
        judge_limit(plans[probe].limit, &jail, result);
    else if (status == STATUS_OK)
        judge_word(&jail, result);
    jail_result_free(&jail);
    return status;
}
