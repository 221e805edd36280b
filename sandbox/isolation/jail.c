/* jail_run(): everything that one run needs is opened here, handed to launch.c and watch.c, and
 * given back; then what was seen becomes a result.
 *
 * The request is a sealed memory file that becomes descriptor 0, so nothing has to be fed while the
 * program runs and one that dies early cannot raise SIGPIPE here. Memory is limited twice:
 * RLIMIT_DATA counts what one process can write to (heap, stacks, private mappings; not the 110 MB
 * of NVRTC's own text, and not the address space that malloc's arenas reserve), so that the program
 * hears of the end from malloc(); the memory cgroup counts all processes together with files in
 * memory, a little later. AddressSanitizer reserves terabytes, so builds with it use its own limit
 * of resident memory. */
#include "sandbox/isolation/jail_private.h"

#include "sandbox/base/clock.h"
#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    SLOT_TRIES = 20,          /* of slots with something left in them */
    LOWEST_FREE_FD = 16,      /* above the numbers that the child hands out */
    PIPE_BYTES = 1024 * 1024, /* asked for; fewer wake-ups for large responses */
};

static atomic_bool unsafe; /* --unsafe-no-jail */

void jail_set_unsafe(bool value) {
    atomic_store(&unsafe, value);
}

bool jail_is_unsafe(void) {
    return atomic_load(&unsafe);
}

/* --- descriptors --- */

/* A descriptor of the same file with a number that the child's dup2 calls do not overwrite. */
static bool move_up(int *descriptor) {
    if (*descriptor < 0)
        return false;
    if (*descriptor >= LOWEST_FREE_FD)
        return true;
    int moved = fcntl(*descriptor, F_DUPFD_CLOEXEC, LOWEST_FREE_FD);
    if (moved < 0)
        return false;
    close(*descriptor);
    *descriptor = moved;
    return true;
}

static bool open_pipe(int ends[2]) {
    if (pipe2(ends, O_CLOEXEC) != 0)
        return false;
    fcntl(ends[0], F_SETPIPE_SZ, PIPE_BYTES);
    return move_up(&ends[0]) && move_up(&ends[1]) && fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0;
}

/* A sealed memory file that is read from its start; -1: errno says why. */
static int open_bytes(const char *name, const void *bytes, size_t length) {
    cleanup_fd int descriptor = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (!move_up(&descriptor) || !file_write_all(descriptor, bytes, length) ||
        lseek(descriptor, 0, SEEK_SET) != 0 ||
        fcntl(descriptor, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL))
        return -1;
    return steal_fd(&descriptor);
}

/* --- one run --- */

struct jail_run_state {
    const struct jail_spec *spec;
    struct jail_limits limits;
    struct jail_result *result;
    struct slot *slot;
    enum jail_kind kind;
    struct shown_files files;
    char *program;                       /* what is executed: bubblewrap, or the program itself */
    char *scratch;                       /* on the disk; NULL: none, or inside bubblewrap */
    uint64_t filled_files, filled_bytes; /* in it, before the start */
    char **argv;
    char *environment[4];
    int program_fd, request, data, shared, seal, filter, options, rules;
    int response[2], messages[2], status[2], failure[2];
    struct jail_launch_state launch;
};

static void close_both(int ends[2]) {
    cleanup_fd_function(&ends[0]);
    cleanup_fd_function(&ends[1]);
}

static void run_close(struct jail_run_state *run) {
    int *single[] = {&run->program_fd, &run->request, &run->data,    &run->shared,
                     &run->seal,       &run->filter,  &run->options, &run->rules};
    int *pairs[] = {run->response, run->messages, run->status, run->failure};
    for (size_t i = 0; i < ARRAY_LENGTH(single); i++)
        cleanup_fd_function(single[i]);
    for (size_t i = 0; i < ARRAY_LENGTH(pairs); i++)
        close_both(pairs[i]);
    for (size_t i = 0; i < run->launch.join_count; i++)
        close(run->launch.joins[i]);
    cleanup_fd_function(&run->launch.cgroup);
    shown_files_close(&run->files);
    if (run->scratch) {
        scratch_remove(run->scratch);
        slot_keep_scratch(run->slot, NULL);
    }
    free(run->scratch);
    free(run->program);
    free(run->argv);
    for (size_t i = 0; i < ARRAY_LENGTH(run->environment); i++)
        free(run->environment[i]);
    if (run->slot)
        slot_give(run->slot);
}

static void run_init(struct jail_run_state *run, enum jail_kind kind, const struct jail_spec *spec,
                     struct jail_result *result) {
    *run = (struct jail_run_state){.spec = spec,
                                   .limits = jail_limits_resolve(spec->profile, &spec->limits),
                                   .result = result,
                                   .kind = kind,
                                   .program_fd = -1,
                                   .launch.cgroup = -1,
                                   .rules = -1,
                                   .request = -1,
                                   .data = -1,
                                   .shared = -1,
                                   .seal = -1,
                                   .filter = -1,
                                   .options = -1,
                                   .response = {-1, -1},
                                   .messages = {-1, -1},
                                   .status = {-1, -1},
                                   .failure = {-1, -1}};
}

static enum status cannot_start(const char *step, int cause, struct error *error) {
    error_set(error, STATUS_ENVIRONMENT, "cannot start a worker process: %s%s%s", step,
              *step ? ": " : "", strerror(cause));
    error_hint(
        error, "%s",
        cause == EAGAIN || cause == ENOMEM || cause == EMFILE
            ? "The machine is out of processes or memory; try again with fewer --jobs."
        : strcmp(step, "execve") == 0 && !jail_is_unsafe()
            ? "bubblewrap's bwrap and the worker must be programs of this machine, not scripts; "
              "`warpgrade doctor` tries them."
            : "A worker is the program warpgrade-worker beside warpgrade, else warpgrade "
              "itself; `warpgrade doctor` tries it.");
    return STATUS_ENVIRONMENT;
}

/* The arguments after "bwrap --args N --", or the program's own. */
static void make_argv(struct jail_run_state *run) {
    const char *const *words = run->spec->argv;
    size_t count = 0, next = 0;
    while (words[count])
        count++;
    run->argv = mem_calloc(count + 6, sizeof *run->argv);
    static char bwrap[] = "bwrap", option[] = "--args", end[] = "--", inside[] = JAIL_PROGRAM;
    static char number[] = {'0' + CHILD_ARGUMENTS, '\0'};
    if (run->kind == JAIL_NAMESPACES) {
        char *before[] = {bwrap, option, number, end, inside};
        for (; next < ARRAY_LENGTH(before); next++)
            run->argv[next] = before[next];
    } else if (run->kind == JAIL_LANDLOCK) {
        run->argv[next++] = inside;
    }
    for (size_t i = run->kind != JAIL_NONE ? 1 : 0; i < count; i++)
        run->argv[next++] = (char *)(uintptr_t)words[i];
}

/* The names of staged files are known here; launch.c makes them true. */
static bool stage_files(struct jail_run_state *run) {
    struct jail_launch_state *launch = &run->launch;
    launch->stage = slot_folder();
    for (size_t i = 0; i < run->files.count; i++) {
        struct shown_file *file = &run->files.items[i];
        if (!file->is_closed)
            continue;
        if (launch->staged_count == LAUNCH_MAX_STAGED) {
            errno = E2BIG;
            return false;
        }
        file->staged = mem_printf("%s/%zu", launch->stage, i);
        launch->staged[launch->staged_count].from = file->outside;
        launch->staged[launch->staged_count].to = file->staged;
        launch->staged[launch->staged_count++].is_folder = file->is_folder;
    }
    return true;
}

/* What the program gives up itself; -1 in run->seal where it cannot be made. */
static void open_seal(struct jail_run_state *run) {
    const struct seal head = {.kind = run->kind};
    const void *program = NULL;
    size_t length = 0;
    if (JAIL_ASAN || !filter_program(run->spec->profile, FILTER_SEALED, &program, &length))
        return;
    cleanup_text struct text bytes = {0};
    text_append_bytes(&bytes, &head, sizeof head);
    text_append_bytes(&bytes, program, length);
    run->seal = open_bytes("seal", bytes.data, bytes.length);
}

static enum status open_scratch(struct jail_run_state *run, struct error *error) {
    if (!(jail_profiles[run->spec->profile].sees & SEES_SCRATCH))
        return STATUS_OK;
    keeper_open(); /* who removes the folder if we are killed: before there is one */
    run->scratch = scratch_make(error);
    if (!run->scratch)
        return STATUS_ENVIRONMENT;
    if (!slot_keep_scratch(run->slot, run->scratch))
        return cannot_start("scratch folder", errno, error);
    enum status status = run->spec->folder
                             ? scratch_fill(run->scratch, run->spec->folder, &run->filled_files,
                                            &run->filled_bytes, error)
                             : STATUS_OK;
    if (status != STATUS_OK || run->kind == JAIL_NONE || !run->slot->own_user)
        return status;
    return scratch_give(run->scratch, run->slot->user)
               ? STATUS_OK
               : cannot_start("scratch folder", errno, error);
}

static enum status open_jail(struct jail_run_state *run, struct error *error) {
    const struct jail_spec *spec = run->spec;
    run->program = command_find_bubblewrap();
    if (!run->program)
        return guards_need_bubblewrap(error);
    enum status status = shown_files_open(&run->files, spec, error);
    if (status == STATUS_OK && spec->folder)
        status = open_scratch(run, error);
    if (status != STATUS_OK)
        return status;
    if (!stage_files(run))
        return cannot_start("stage files", errno, error);
    const void *program = NULL;
    size_t length = 0;
    if (!filter_program(spec->profile, FILTER_START, &program, &length))
        return guards_refuse("libseccomp cannot make the list of system calls", error);
    run->filter = open_bytes("filter", program, length);
    open_seal(run);
    cleanup_text struct text options = {0};
    command_write(&options, spec, &run->limits, &run->files, run->scratch);
    run->options = open_bytes("arguments", options.data, options.length);
    if (run->filter < 0 || (!JAIL_ASAN && run->seal < 0) || run->options < 0 ||
        !open_pipe(run->status))
        return cannot_start("memory file", errno, error);
    /* A bubblewrap that was carried along brings libraries that only we know where to find. */
    const char *libraries = getenv("LD_LIBRARY_PATH");
    if (libraries && *libraries && strncmp(run->program, "/usr/", 5) != 0 &&
        strncmp(run->program, "/bin/", 5) != 0)
        run->environment[0] = mem_printf("LD_LIBRARY_PATH=%s", libraries);
    return STATUS_OK;
}

static bool add_filter(struct jail_run_state *run, enum filter_part part) {
    const void *program = NULL;
    size_t length = 0;
    struct jail_launch_state *launch = &run->launch;
    if (!filter_program(run->spec->profile, part, &program, &length))
        return false;
    launch->filters[launch->filter_count++] =
        (struct sock_fprog){.len = (unsigned short)(length / sizeof(struct sock_filter)),
                            .filter = (struct sock_filter *)(uintptr_t)program};
    return true;
}

/* Nothing can be mounted here, so that its user must reach what it is shown by itself; the program
 * comes as a descriptor. */
static enum status check_reachable(struct jail_run_state *run, struct error *error) {
    for (size_t i = 0; i < run->files.count; i++) {
        if (!run->files.items[i].is_closed)
            continue;
        if (strcmp(run->files.items[i].inside, JAIL_PROGRAM) != 0) {
            error_set(error, STATUS_ENVIRONMENT,
                      "%s stands in a folder that is closed to the users that workers run as",
                      run->files.items[i].outside);
            error_hint(error, "chmod o+x the folders above it, or put it elsewhere; the full jail "
                              "does without (warpgrade doctor).");
            return STATUS_ENVIRONMENT;
        }
        run->launch.is_closed = true;
    }
    return STATUS_OK;
}

/* PWD and LD_LIBRARY_PATH, as bubblewrap leaves them; a sanitizer's options. */
static void fill_environment(struct jail_run_state *run, char *libraries) {
    size_t count = 0;
    if (libraries)
        run->environment[count++] = mem_printf("LD_LIBRARY_PATH=%s", libraries);
    if (run->kind == JAIL_LANDLOCK)
        run->environment[count++] = mem_printf("PWD=%s", run->scratch ? run->scratch : "/");
    if (JAIL_ASAN) {
        cleanup_free char *options = jail_asan_options(&run->limits);
        run->environment[count++] = mem_printf("ASAN_OPTIONS=%s", options);
    }
}

static enum status open_landlock(struct jail_run_state *run, struct error *error) {
    const struct jail_spec *spec = run->spec;
    char resolved[PATH_MAX]; /* /proc/self/exe would be another file to the child */
    if (landlock_version() < 1)
        return guards_need_landlock(error);
    enum status status = shown_files_open(&run->files, spec, error);
    if (status == STATUS_OK)
        status = check_reachable(run, error);
    if (status == STATUS_OK)
        status = open_scratch(run, error);
    if (status != STATUS_OK)
        return status;
    if (!realpath(spec->program, resolved))
        return cannot_start(spec->program, errno, error);
    run->program = mem_strdup(resolved);
    if (!add_filter(run, run->slot->own_user ? FILTER_SHARED : FILTER_SHARED_PLAIN) ||
        !add_filter(run, FILTER_START))
        return guards_refuse("libseccomp cannot make the list of system calls", error);
    open_seal(run);
    run->rules = landlock_rules(spec->profile, &run->files, run->scratch);
    if (run->rules < 0 || !move_up(&run->rules) || (!JAIL_ASAN && run->seal < 0))
        return cannot_start("Landlock", errno, error);
    cleanup_free char *libraries = shown_files_library_path(&run->files);
    fill_environment(run, libraries);
    return STATUS_OK;
}

static enum status open_no_jail(struct jail_run_state *run, struct error *error) {
    run->program = mem_strdup(run->spec->program);
    enum status status = open_scratch(run, error);
    if (status != STATUS_OK)
        return status;
    const char *said = getenv("LD_LIBRARY_PATH"), *first = run->spec->libraries;
    bool both = first && said && *said; /* in a jail they have a folder of their own */
    cleanup_free char *libraries =
        mem_printf("%s%s%s", first ? first : "", both ? ":" : "", said ? said : "");
    fill_environment(run, *libraries ? libraries : NULL);
    return STATUS_OK;
}

/* Slots in which something of an earlier run is left are passed over; they are few. */
static enum status open_slot(struct jail_run_state *run, struct error *error) {
    for (int tries = 0; (run->slot = slot_take(error)) != NULL; tries++) {
        const struct cgroup *cgroup = &run->slot->cgroup;
        bool ready = cgroup_prepare(&run->slot->cgroup, &run->limits);
        if (ready && cgroup_join_files(cgroup, run->launch.joins, &run->launch.join_count,
                                       &run->launch.cgroup))
            return STATUS_OK;
        if (ready || errno != EBUSY || tries == SLOT_TRIES)
            return cannot_start("cgroup", errno, error);
        slot_set_aside(run->slot);
    }
    return STATUS_ENVIRONMENT;
}

static enum status open_all(struct jail_run_state *run, struct error *error) {
    const struct jail_spec *spec = run->spec;
    enum status status = open_slot(run, error);
    if (status != STATUS_OK)
        return status;
    status = run->kind == JAIL_NAMESPACES ? open_jail(run, error)
             : run->kind == JAIL_LANDLOCK ? open_landlock(run, error)
                                          : open_no_jail(run, error);
    if (status != STATUS_OK)
        return status;
    run->program_fd = open(run->program, O_PATH | O_CLOEXEC);
    run->request = spec->input_fd
                       ? fcntl(spec->input_fd, F_DUPFD_CLOEXEC, LOWEST_FREE_FD)
                       : open_bytes("warpgrade-request", spec->request, spec->request_length);
    if (spec->data_fd >= 0)
        run->data = fcntl(spec->data_fd, F_DUPFD_CLOEXEC, LOWEST_FREE_FD);
    if (spec->shared_fd)
        run->shared = fcntl(spec->shared_fd, F_DUPFD_CLOEXEC, LOWEST_FREE_FD);
    if (!move_up(&run->program_fd) || run->request < 0 || (spec->data_fd >= 0 && run->data < 0) ||
        (spec->shared_fd && run->shared < 0) || !open_pipe(run->response) ||
        !open_pipe(run->messages) || !open_pipe(run->failure))
        return cannot_start(run->program, errno, error);
    for (size_t i = 0; i < run->launch.join_count; i++)
        if (!move_up(&run->launch.joins[i]))
            return cannot_start("cgroup", errno, error);
    make_argv(run);
    return STATUS_OK;
}

/* What has to be said to the child, in the order of the numbers. */
static void fill_launch(struct jail_run_state *run) {
    struct jail_launch_state *launch = &run->launch;
    launch->program = run->program_fd;
    launch->argv = run->argv;
    launch->environment = run->environment;
    launch->folder = run->scratch && run->kind != JAIL_NAMESPACES ? run->scratch : "/";
    launch->drops_user = run->kind != JAIL_NONE && run->slot->own_user;
    launch->path = run->kind == JAIL_LANDLOCK ? run->program : NULL;
    launch->closes_itself = run->kind == JAIL_LANDLOCK;
    launch->rules = run->rules;
    launch->own_proc = launch->closes_itself ? landlock_own_proc(run->spec->profile) : 0;
    launch->signals_itself_only = !launch->drops_user && landlock_version() < 6;
    launch->user = run->slot->user;
    launch->failure = run->failure[1];
    launch->supervisor = getpid();
    launch->keeper = keeper_open();
    launch_add_descriptor(launch, run->request, 0);
    launch_add_descriptor(launch, run->response[1], 1);
    launch_add_descriptor(launch, run->messages[1], 2);
    if (run->data >= 0)
        launch_add_descriptor(launch, run->data, JAIL_DATA_FD);
    if (run->seal >= 0)
        launch_add_descriptor(launch, run->seal, JAIL_SEAL_FD);
    if (run->shared >= 0)
        launch_add_descriptor(launch, run->shared, JAIL_SHARED_FD);
    if (run->kind == JAIL_NAMESPACES) {
        launch_add_descriptor(launch, run->options, CHILD_ARGUMENTS);
        launch_add_descriptor(launch, run->filter, CHILD_FILTER);
        launch_add_descriptor(launch, run->status[1], CHILD_STATUS);
    }
    launch_set_limits(launch, &run->limits,
                      !JAIL_ASAN && !(jail_profiles[run->spec->profile].sees & SEES_GPU));
    /* bubblewrap has a count of its own, the user namespace's. The simulator forks nothing, and its
     * threads must not fail because this user has started something else meanwhile. */
    bool is_shared = run->kind == JAIL_LANDLOCK && run->spec->profile != JAIL_SIMULATOR;
    /* ... which jail_enter() sets; a stranger's program calls that for no one. */
    bool is_foreign = run->spec->profile == JAIL_HOST_CODE;
    if (!run->slot->cgroup.folders[CGROUP_PROCESSES] &&
        (launch->drops_user || is_shared || is_foreign))
        launch_limit_user(launch, &run->limits,
                          launch->drops_user ? 0 : tree_count_user(run->slot->user));
}

static uint64_t shared_bytes(const struct jail_run_state *run) {
    struct stat info;
    return run->data >= 0 && fstat(run->data, &info) == 0 && info.st_size > 0
               ? (uint64_t)info.st_size
               : 0;
}

/* --- from what was seen to a result --- */

static void set_limit(struct jail_result *result, enum jail_limit limit, double value,
                      double seen) {
    if (result->limit == JAIL_LIMIT_NONE) {
        result->limit = limit;
        result->limit_value = value;
        result->seen_value = seen;
    }
}

/* A run that ended badly by itself: was a limit the reason? */
static void blame_limit(struct jail_run_state *run, const struct cgroup_usage *usage) {
    struct jail_result *result = run->result;
    const struct jail_limits *limits = &run->limits;
    if (usage->oom_kills)
        set_limit(result, JAIL_LIMIT_MEMORY, (double)limits->memory_bytes,
                  (double)usage->peak_memory_bytes);
    if (result->signal == SIGSYS)
        set_limit(result, JAIL_LIMIT_SYSCALL, 0, 0);
    if (result->signal == SIGXFSZ)
        set_limit(result, JAIL_LIMIT_FILE_SIZE, (double)limits->file_bytes,
                  (double)limits->file_bytes);
    if (result->signal == SIGXCPU ||
        (result->signal && result->cpu_ms >= limits->cpu_seconds * 1e3))
        set_limit(result, JAIL_LIMIT_CPU, limits->cpu_seconds, result->cpu_ms / 1e3);
    if (usage->refused)
        set_limit(result, JAIL_LIMIT_PROCESSES, limits->processes, limits->processes + 1.0);
}

static enum status take_result(struct jail_run_state *run, const struct watch *watch,
                               struct error *error) {
    struct jail_result *result = run->result;
    struct cgroup_usage usage = {0};
    cgroup_read(&run->slot->cgroup, &usage);
    result->cpu_ms = usage.cpu_ms > watch->cpu_ms ? usage.cpu_ms : watch->cpu_ms;
    if (usage.peak_memory_bytes)
        result->peak_memory_bytes = usage.peak_memory_bytes;
    else if (watch->peak_bytes > result->peak_memory_bytes)
        result->peak_memory_bytes = watch->peak_bytes;
    result->exit_code = -1;
    if (result->limit != JAIL_LIMIT_NONE) {
        result->signal = SIGKILL;
        return STATUS_OK;
    }
    /* Nothing inside can reach bubblewrap, and we did not kill it. */
    if (!watch->finished && usage.oom_kills == 0 && watch->outer_signal)
        return error_set(error, STATUS_ENVIRONMENT, "a jail was ended from outside by signal %d",
                         watch->outer_signal);
    if (!watch->finished && usage.oom_kills == 0)
        return guards_refuse(text_string(&result->messages), error);
    int code = watch->finished ? watch->code : 128 + SIGKILL;
    if (code > 128 && code < 128 + NSIG)
        result->signal = code - 128;
    else
        result->exit_code = code;
    if (code != 0)
        blame_limit(run, &usage);
    return STATUS_OK;
}

static enum status supervise(struct jail_run_state *run, struct error *error) {
    pid_t pid;
    const char *step;
    fill_launch(run);
    double started_ms = clock_ms();
    int cause = launch_start(&run->launch, run->failure[0], &pid, &step);
    run->failure[1] = -1; /* launch_start() closed it */
    cleanup_fd_function(&run->response[1]);
    cleanup_fd_function(&run->messages[1]);
    cleanup_fd_function(&run->status[1]);
    run->response[1] = run->messages[1] = run->status[1] = -1;
    if (cause) {
        if (pid > 0)
            keeper_tell(run->launch.keeper, -pid);
        return cannot_start(step, cause, error);
    }
    struct watch watch = {.pid = pid,
                          .kind = run->kind,
                          .response = run->response[0],
                          .messages = run->messages[0],
                          .status = run->status[0],
                          .cancel = run->spec->cancel_fd > 0 ? run->spec->cancel_fd : -1,
                          .meter = run->spec->meter,
                          .beside = run->spec->beside,
                          .take = run->spec->take,
                          .take_context = run->spec->take_context,
                          .cgroup = &run->slot->cgroup,
                          .limits = &run->limits,
                          .has_scratch = run->kind == JAIL_NAMESPACES && !run->scratch &&
                                         jail_profiles[run->spec->profile].sees & SEES_SCRATCH,
                          .scratch = run->kind != JAIL_NONE ? run->scratch : NULL,
                          .filled_files = run->filled_files,
                          .filled_bytes = run->filled_bytes,
                          .data_bytes = shared_bytes(run),
                          .result = run->result,
                          .started_ms = started_ms};
    bool watched = watch_run(&watch);
    if (run->kind == JAIL_NAMESPACES && watch.init == 0)
        keeper_end_session(pid);
    keeper_tell(run->launch.keeper, -pid);
    if (!watched)
        return error_set(error, STATUS_ENVIRONMENT, "cannot wait for a worker process: %s",
                         strerror(watch.trouble));
    return take_result(run, &watch, error);
}

enum status jail_run(const struct jail_spec *spec, struct jail_result *result,
                     struct error *error) {
    uint32_t guards;
    if (jail_may_be_trial(spec)) {
        enum status status = jail_run_in(JAIL_NAMESPACES, spec, result, error);
        if (status == STATUS_OK)
            jail_trial_succeeded(result->guards);
        if (jail_kind() == JAIL_NAMESPACES) /* else the jail was at fault, and not the run */
            return status;
        jail_result_free(result);
    }
    enum jail_kind kind = jail_kind();
    if (kind != JAIL_AUTO)
        return jail_run_in(kind, spec, result, error);
    *result = (struct jail_result){.exit_code = -1};
    return jail_check(&guards, error);
}

enum status jail_run_in(enum jail_kind kind, const struct jail_spec *spec,
                        struct jail_result *result, struct error *error) {
    struct jail_run_state run;
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    *result = (struct jail_result){.exit_code = -1};
    run_init(&run, kind, spec, result);
    enum status status = open_all(&run, error);
    if (status == STATUS_OK)
        status = supervise(&run, error);
    if (status == STATUS_OK && spec->folder)
        scratch_collect(run.scratch, spec->folder);
    if (run.slot)
        result->guards = guards_of(status == STATUS_OK ? kind : JAIL_NONE, spec->profile, run.slot);
    run_close(&run);
    return status;
}

void jail_result_free(struct jail_result *result) {
    text_free(&result->response);
    text_free(&result->messages);
}
