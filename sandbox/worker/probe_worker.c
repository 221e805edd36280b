/* The worker's side of the probes: does what a submission must not be able to do, as far as it
 * gets, and says so in one line: "held ..." or "broken ...". An attempt that a limit must end says
 * "broken" where it comes to its end.
 *
 * It enters the jail as a real worker of its profile does. The attempt on Landlock is made at the
 * door, because inside the list of system calls answers first. */
#include "sandbox/worker/probe.h"

#include "sandbox/isolation/landlock.h"
#include "sandbox/worker/probe_private.h"

#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"
#include "sandbox/base/text.h"
#include "sandbox/worker/worker.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { REQUEST_MAX = 64 << 10, READ_BYTES = 64 << 10, PART_MAX = 64 };

extern char **environ;

const char *const probe_namespaces[] = {"user", "mnt", "pid", "net", "ipc", "uts", "cgroup"};
const size_t probe_namespace_count = ARRAY_LENGTH(probe_namespaces);

/* All of them with arguments that do no harm where they go through. */
static const struct {
    const char *name;
    long number;
    unsigned long arguments[4];
} calls[] = {
    {"ptrace", SYS_ptrace, {0 /* PTRACE_TRACEME */}},
    {"bpf", SYS_bpf, {(unsigned long)-1}},
    {"mount", SYS_mount, {0}},
    {"unshare", SYS_unshare, {0x10000000 /* CLONE_NEWUSER */}},
    {"socket", SYS_socket, {2 /* AF_INET */, 1}},
    {"keyctl", SYS_keyctl, {(unsigned long)-1}},
    {"io_uring_setup", SYS_io_uring_setup, {0}},
    {"perf_event_open", SYS_perf_event_open, {0, 0, 0, (unsigned long)-1}},
    {"userfaultfd", SYS_userfaultfd, {(unsigned long)-1}},
    {"process_vm_readv", SYS_process_vm_readv, {0}},
    {"kexec_load", SYS_kexec_load, {(unsigned long)-1}},
    {"init_module", SYS_init_module, {0}},
};

size_t probe_call_count(void) {
    return ARRAY_LENGTH(calls);
}

const char *probe_call_name(size_t index) {
    return calls[index].name;
}

/* ---- the answer ------------------------------------------------------------------------------ */

static void answer(const char *word, const char *text) {
    cleanup_free char *line = mem_printf("%s %s", word, text);
    file_write_all(STDOUT_FILENO, line, strlen(line));
}

static void answer_list(const struct text *broken, const char *where_none) {
    answer(broken->length ? "broken" : "held", broken->length ? text_string(broken) : where_none);
}

static void add(struct text *list, const char *word, const char *more) {
    text_printf(list, "%s%s%s", list->length ? ", " : "", word, more);
}

/* The next line of a request or a file, ended by NUL; NULL at the end. */
static char *next_line(char **rest) {
    char *line = *rest;
    if (!line || !*line)
        return NULL;
    *rest = strchr(line, '\n');
    if (*rest)
        *(*rest)++ = '\0';
    return line;
}

/* The start of a file in /proc; "" where it cannot be read. */
static char *read_start(const char *path) {
    char *text = mem_zalloc(READ_BYTES + 1);
    cleanup_fd int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    size_t length = 0;
    ssize_t got;
    while (descriptor >= 0 && length < READ_BYTES &&
           (got = read(descriptor, text + length, READ_BYTES - length)) > 0)
        length += (size_t)got;
    return text;
}

/* ---- what must not be there ------------------------------------------------------------------ */

static void try_namespaces(char *rest) {
    cleanup_text struct text shared = {0}, own = {0};
    for (size_t i = 0; i < ARRAY_LENGTH(probe_namespaces); i++) {
        char link[128];
        cleanup_free char *path = mem_printf("/proc/self/ns/%s", probe_namespaces[i]);
        ssize_t length = readlink(path, link, sizeof link - 1);
        link[length > 0 ? length : 0] = '\0';
        const char *outside = next_line(&rest);
        bool is_shared = length <= 0 || !outside || strcmp(outside, link) == 0;
        add(is_shared ? &shared : &own, probe_namespaces[i], "");
    }
    cleanup_free char *all = mem_printf("%s of its own", text_string(&own));
    cleanup_free char *some = mem_printf("shared with this machine: %s", text_string(&shared));
    answer(shared.length ? "broken" : "held", shared.length ? some : all);
}

static void try_network(char *rest) {
    (void)rest;
    cleanup_text struct text found = {0};
    cleanup_free char *table = read_start("/proc/net/dev");
    char *lines = table;
    for (char *line; (line = next_line(&lines)) != NULL;) {
        char *colon = strchr(line, ':');
        if (!colon)
            continue;
        *colon = '\0';
        const char *name = line + strspn(line, " ");
        if (strcmp(name, "lo") != 0)
            add(&found, name, "");
    }
    answer_list(&found, *table ? "no interface but its own loopback"
                               : "no interface is seen, and every socket is refused");
}

static void try_files(char *rest) {
    static const char *const places[] = {"/",     "/usr", "/usr/bin", "/usr/lib", "/etc",    "/dev",
                                         "/proc", "/tmp", "/home",    "/dev/shm", "/var/tmp"};
    cleanup_text struct text broken = {0};
    size_t reads = 0;
    for (size_t i = 0; i < ARRAY_LENGTH(places); i++) {
        cleanup_free char *path = file_join(places[i], "warpgrade-probe");
        cleanup_fd int descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
        if (descriptor >= 0) {
            unlink(path);
            add(&broken, places[i], " can be written to");
        }
    }
    for (const char *path; (path = next_line(&rest)) != NULL; reads++) {
        cleanup_fd int descriptor = open(path, O_RDONLY | O_CLOEXEC);
        if (descriptor >= 0)
            add(&broken, path, " can be read");
    }
    cleanup_free char *none = mem_printf("none of %zu places can be written to, none of %zu read",
                                         ARRAY_LENGTH(places), reads);
    answer_list(&broken, none);
}

/* Other processes of this machine by their numbers: the grader's, and process 1. */
static void try_others(char *rest) {
    cleanup_text struct text broken = {0};
    const char *line = next_line(&rest);
    const pid_t others[] = {line ? (pid_t)strtol(line, NULL, 10) : 1, 1};
    for (size_t i = 0; i < ARRAY_LENGTH(others); i++) {
        pid_t pid = others[i];
        struct rlimit limit;
        cleanup_free char *memory = mem_printf("/proc/%d/mem", (int)pid);
        cleanup_free char *shown = mem_printf("process %d", (int)pid);
        bool is_jails = pid == 1 && getppid() == 1; /* of a name space: its own process 1 */
        cleanup_fd int descriptor = open(memory, O_RDONLY | O_CLOEXEC);
        if (!is_jails && (kill(pid, 0) == 0 || errno == EPERM) && kill(pid, SIGCONT) == 0)
            add(&broken, shown, " can be sent signals");
        if (!is_jails && syscall(SYS_prlimit64, pid, RLIMIT_NOFILE, NULL, &limit) == 0)
            add(&broken, shown, " can be given limits");
        if (descriptor >= 0)
            add(&broken, shown, " can be read");
    }
    answer_list(&broken, "no signal reaches one, no limit, no look into its memory");
}

/* Whether a name is there is all that is asked. */
static void try_names(char *rest) {
    cleanup_text struct text broken = {0};
    for (const char *path; (path = next_line(&rest)) != NULL;) {
        struct stat info;
        if (strcmp(path, "/sys") != 0 && stat(path, &info) == 0)
            add(&broken, path, "");
    }
    cleanup_free char *seen = mem_printf("seen, though not to be opened: %s", text_string(&broken));
    answer(broken.length ? "broken" : "held", broken.length ? seen : "no other file is there");
}

/* By system calls where no /proc is to be read. */
static void ask_privileges(struct text *broken) {
    struct __user_cap_header_struct head = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct sets[2] = {{0}};
    if (syscall(SYS_capget, &head, sets) != 0)
        add(broken, "capget", " does not tell");
    if (sets[0].effective | sets[0].permitted | sets[0].inheritable | sets[1].effective |
        sets[1].permitted | sets[1].inheritable)
        add(broken, "capabilities", "");
    if (prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1)
        add(broken, "new privileges", "");
}

static void read_privileges(char *status, struct text *broken) {
    static const struct {
        const char *name, *expected;
    } rows[] = {{"CapInh:", "0000000000000000"}, {"CapPrm:", "0000000000000000"},
                {"CapEff:", "0000000000000000"}, {"CapBnd:", "0000000000000000"},
                {"CapAmb:", "0000000000000000"}, {"NoNewPrivs:", "1"}};
    size_t seen = 0;
    for (char *line; (line = next_line(&status)) != NULL;)
        for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
            size_t length = strlen(rows[i].name);
            if (strncmp(line, rows[i].name, length) != 0)
                continue;
            const char *value = line + length + strspn(line + length, " \t");
            seen++;
            if (strcmp(value, rows[i].expected) != 0)
                add(broken, rows[i].name, value);
        }
    if (seen != ARRAY_LENGTH(rows))
        add(broken, "/proc/self/status", " does not tell");
}

static void try_privileges(char *rest) {
    (void)rest;
    cleanup_text struct text broken = {0};
    cleanup_free char *status = read_start("/proc/self/status");
    if (*status)
        read_privileges(status, &broken);
    else
        ask_privileges(&broken);
    for (char **name = environ; *name; name++)
        if (strncmp(*name, "LD_LIBRARY_PATH=", 16) != 0 && strncmp(*name, "PWD=", 4) != 0 &&
            strncmp(*name, "ASAN_OPTIONS=", 13) != 0)
            add(&broken, *name, " in the environment");
    answer_list(&broken, "no capabilities, none to be gained, an empty environment");
}

/* The second number of the map is who we are outside. Where it cannot be read there is no map, and
 * who we are is what it is outside. */
static void try_user(char *rest) {
    unsigned inside, outside, count;
    cleanup_free char *map = read_start("/proc/self/uid_map");
    const char *grader = next_line(&rest);
    cleanup_text struct text broken = {0};
    if (grader && !*map) {
        outside = (unsigned)getuid();
        if (outside == strtoul(grader, NULL, 10))
            add(&broken, "runs as your user", "");
    } else if (!grader || sscanf(map, "%u %u %u", &inside, &outside, &count) != 3)
        add(&broken, "/proc/self/uid_map", " does not tell");
    else if (outside == strtoul(grader, NULL, 10))
        add(&broken, "runs as your user, in a name space of its own", "");
    cleanup_free char *held =
        mem_printf("uid %u, used by nothing else", broken.length ? 0 : outside);
    answer_list(&broken, held);
}

/* ---- what a list of system calls must stop ----------------------------------------------------
 */

static void try_call(const char *name) {
    for (size_t i = 0; i < ARRAY_LENGTH(calls); i++) {
        const unsigned long *a = calls[i].arguments;
        if (strcmp(calls[i].name, name) != 0)
            continue;
        errno = 0;
        long value = syscall(calls[i].number, a[0], a[1], a[2], a[3]);
        cleanup_free char *text =
            mem_printf("gives %ld (%s)", value, value < 0 ? strerror(errno) : "done");
        answer("broken", text);
    }
}

/* The C library may ask for a file, and is refused; any call beyond its needs ends the program. */
static void try_seal(char *rest) {
    (void)rest;
    int descriptor = open(JAIL_PROGRAM, O_RDONLY | O_CLOEXEC);
    if (descriptor >= 0)
        answer("broken", "the sealed simulator can open its own program");
    else if (syscall(SYS_getppid) >= 0)
        answer("broken", "the sealed simulator can ask for its parent");
    else
        answer("broken", "a call beyond its needs fails, and the program goes on");
}

static void try_landlock(void) {
    const struct { uint64_t files; } attributes = {LANDLOCK_READ_FILE};
    long version = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_ASKS_VERSION);
    if (version < 1) {
        answer("broken", "the kernel has none");
        return;
    }
    static const char *const names[] = {JAIL_PROGRAM, "/proc/self/exe"};
    const char *itself = names[access(names[0], F_OK) != 0];
    cleanup_fd int before = open(itself, O_RDONLY | O_CLOEXEC);
    cleanup_fd int rules =
        (int)syscall(SYS_landlock_create_ruleset, &attributes, sizeof attributes, 0);
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || before < 0 || rules < 0 ||
        syscall(SYS_landlock_restrict_self, rules, 0) != 0) {
        answer("broken", strerror(errno));
        return;
    }
    cleanup_fd int after = open(itself, O_RDONLY | O_CLOEXEC);
    cleanup_free char *text = mem_printf("version %ld refuses to open a file", version);
    answer(after < 0 && errno == EACCES ? "held" : "broken",
           after < 0 ? text : "a file can still be opened");
}

/* ---- what a limit must end ------------------------------------------------------------------- */

static void try_wall(char *rest) {
    (void)rest;
    sleep(5);
    answer("broken", "slept for 5 s");
}

static void try_cpu(char *rest) {
    (void)rest;
    struct timespec used = {0};
    volatile unsigned long spins = 0;
    while (used.tv_sec < 4) {
        for (unsigned i = 0; i < 1000000; i++)
            spins = spins + i;
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    }
    answer("broken", "computed for 4 s");
}

/* Each process stays below RLIMIT_DATA; together they hold four times the limit. */
static void try_memory(char *rest) {
    (void)rest;
    enum { PROCESSES = 8, PIECE = PROBE_MEMORY_BYTES / PROCESSES };
    for (unsigned made = 0; made < PROCESSES; made++) {
        pid_t child = fork();
        if (child == 0) {
            void *piece =
                mmap(NULL, PIECE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
            if (piece != MAP_FAILED)
                memset(piece, 1, PIECE);
            sleep(5);
            _exit(0);
        }
        if (child < 0) {
            answer("broken", "no processes to fill memory with");
            return;
        }
    }
    sleep(2);
    answer("broken", "filled four times its limit");
}

static void try_processes(char *rest) {
    (void)rest;
    unsigned made = 0;
    for (; made < PROBE_FORKS; made++) {
        pid_t child = fork();
        if (child < 0)
            break;
        if (child == 0) {
            sleep(2);
            _exit(0);
        }
    }
    if (made == PROBE_FORKS)
        usleep(500000);
    cleanup_free char *text =
        mem_printf("%s %u processes", made < PROBE_FORKS ? "refused after" : "made", made);
    answer(made < PROBE_FORKS ? "held" : "broken", text);
}

static void try_output(char *rest) {
    (void)rest;
    static const char zeros[64 << 10];
    for (size_t written = 0; written < PROBE_OUTPUT_BYTES; written += sizeof zeros)
        if (!file_write_all(STDOUT_FILENO, zeros, sizeof zeros))
            return;
}

static void try_file_size(char *rest) {
    (void)rest;
    static const char zeros[64 << 10];
    cleanup_fd int file = open("probe", O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0) {
        answer("broken", "no file can be made in the scratch folder");
        return;
    }
    for (size_t written = 0; written < PROBE_FILE_BYTES; written += sizeof zeros)
        if (!file_write_all(file, zeros, sizeof zeros)) {
            answer("held", "the scratch folder is full");
            return;
        }
    answer("broken", "wrote four times its limit");
}

static void (*const attempts[PROBE_COUNT])(char *rest) = {
    [PROBE_NAMESPACES] = try_namespaces,
    [PROBE_NETWORK] = try_network,
    [PROBE_FILES] = try_files,
    [PROBE_NAMES] = try_names,
    [PROBE_OTHERS] = try_others,
    [PROBE_PRIVILEGES] = try_privileges,
    [PROBE_USER] = try_user,
    [PROBE_SEAL] = try_seal,
    [PROBE_WALL] = try_wall,
    [PROBE_CPU] = try_cpu,
    [PROBE_MEMORY] = try_memory,
    [PROBE_PROCESSES] = try_processes,
    [PROBE_OUTPUT] = try_output,
    [PROBE_FILE_SIZE] = try_file_size,
};

static int run_attempt(const struct worker_entry *entry, struct text *response) {
    (void)response; /* the attempt says itself what it found, as far as it gets */
    const struct protocol_message *request = worker_request(entry);
    struct protocol_reader reader = protocol_read(request->control);
    uint64_t probe = protocol_unsigned(&reader, "probe", PROBE_COUNT - 1);
    const char *part = protocol_borrow(&reader, "part", PART_MAX);
    cleanup_free char *lines = mem_printf("%.*s", (int)request->bulk_length, request->bulk);
    if (!protocol_end(&reader) || (probe != PROBE_CALLS && !attempts[probe]))
        return WORKER_EXIT_REFUSED;
    if (probe == PROBE_CALLS)
        try_call(part);
    else
        attempts[probe](lines);
    return 0;
}

/* Inside the jail, of the attempt that was made at its door: its answer counts only where the rest
 * of the jail closed as well. */
static int run_nothing(const struct worker_entry *entry, struct text *response) {
    (void)response;
    return worker_request(entry) ? 0 : WORKER_EXIT_REFUSED;
}

const struct worker_role probe_roles[PROBE_ROLES] = {
    {.name = PROBE_ROLE_TOOLS,
     .profile = JAIL_TOOLS,
     .request_max = REQUEST_MAX,
     .run = run_attempt},
    {.name = PROBE_ROLE_SIMULATOR,
     .profile = JAIL_SIMULATOR,
     .request_max = REQUEST_MAX,
     .run = run_attempt},
    {.name = PROBE_ROLE_LANDLOCK,
     .profile = JAIL_SIMULATOR,
     .request_max = REQUEST_MAX,
     .prepare = try_landlock,
     .run = run_nothing},
};
