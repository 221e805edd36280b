/* The door of the jail: runs one program on untrusted input so that nothing it does reaches us.
 *
 * What jail_run() promises, whatever the program does, as root and as a plain user:
 *
 *   - It ends: within the wall clock's limit plus what the kernel needs to kill. Nothing that it
 *     started survives it, however it daemonised, and no file, mount or cgroup of it stays.
 *   - It starts with nothing of our environment. What it finds is PWD, the folder that it starts
 *     in, and LD_LIBRARY_PATH=/libraries where libraries that it needs do not stand where the
 *     loader looks; in a build with AddressSanitizer also ASAN_OPTIONS. bubblewrap's own process 1
 *     keeps our LD_LIBRARY_PATH where bubblewrap itself was carried along; the tools and the GPU's
 *     driver see that in /proc. It has the descriptors named in jail_spec and no others,
 *     as a user of its own where we are root, without capabilities, in namespaces of its own: no
 *     network, no process of ours in sight, no name of this host.
 *   - It sees its own file, the libraries that this needs, the paths of jail_spec, all read-only,
 *     and what its profile adds (profile.def); JAIL_TOOLS has one sized writable folder.
 *   - Of system calls it has those that syscalls.def gives its profile. Hostile ones end it.
 *   - CPU time, memory (swap included), processes, files and output have limits; the result says
 *     which one ended the run, with the figure.
 *
 * That is the full jail. JAIL_LANDLOCK, for machines without user namespaces, keeps this but for
 * what README.md lists: names and sizes of other files, numbers of other processes and the
 * machine's name can be asked for, and it finds library paths of this machine in LD_LIBRARY_PATH.
 *
 * What cannot be enforced here is an error (STATUS_ENVIRONMENT) and not a warning; guards.def says
 * which guards are essential. Without a memory or pids cgroup the supervisor looks at the tree
 * every 20 ms instead, and RLIMIT_DATA bounds each process meanwhile; jail_result.guards says so.
 *
 * What it does not promise: time (a program may notice that the machine is busy), secrecy of the
 * processor's and the kernel's model, and anything about a kernel with a hole in the system calls
 * that are left.
 *
 * Everything in jail_result that the program wrote is hostile bytes. Safe to call from several
 * threads at once. The process becomes the reaper of its orphans (PR_SET_CHILD_SUBREAPER). */
#ifndef WARPGRADE_SANDBOX_ISOLATION_JAIL_H
#define WARPGRADE_SANDBOX_ISOLATION_JAIL_H

#include "sandbox/base/error.h"
#include "sandbox/base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Which jail. The first keeps all that is promised above. The second is for machines without user
 * namespaces (containers, some desktops): Landlock, lists of system calls, limits, a user of its
 * own as root. */
enum jail_kind {
    JAIL_AUTO,       /* the first, and where that cannot be made the second */
    JAIL_NAMESPACES, /* bubblewrap */
    JAIL_LANDLOCK,
    JAIL_NONE, /* --unsafe-no-jail */
    JAIL_KIND_COUNT
};

enum jail_profile {
    JAIL_SIMULATOR, /* nothing but its descriptors: no file to write, no /proc, threads but no fork
                     */
    JAIL_COMPILER,  /* NVRTC: reads the CUDA compiler's files; forks, executes nothing */
    JAIL_TOOLS,     /* nvcc and ptxas: sees /usr and /proc, executes, has a scratch folder */
    JAIL_GPU, /* the CUDA driver: its device nodes, /sys, /proc; the driver's memory is its own */
    JAIL_HOST_CODE, /* a stranger's native program: as tools. It never calls jail_enter(), and the
                       libraries and the loader that it names are not shown to it */
    JAIL_PROFILE_COUNT
};

/* The descriptors of a jailed program, beside 0, 1 and 2. */
enum {
    JAIL_DATA_FD = 3,   /* jail_spec.data_fd */
    JAIL_SEAL_FD = 4,   /* for jail_enter() */
    JAIL_SHARED_FD = 5, /* jail_spec.shared_fd */
};

struct jail_limits {
    double wall_seconds;   /* each: 0 is the default of jail_limits_resolve() */
    double most_seconds;   /* on a busy machine a run that works goes on, until it has had
                              wall_seconds of processor time or these are over; 0: wall_seconds */
    double cpu_seconds;    /* of all processes and threads together */
    uint64_t memory_bytes; /* what may be allocated, of all processes together */
    uint64_t output_bytes; /* of descriptor 1 */
    uint64_t file_bytes;   /* of one file, and of the scratch folder in all */
    unsigned processes;    /* threads count */
};

/* How much processor time a run has had until now, for the one beside it. */
struct jail_meter {
    _Atomic uint64_t used_ms;
};

/* Takes what the program writes to its descriptor 1 or 2, as it comes. */
typedef void jail_taker(void *context, int descriptor, const char *bytes, size_t length);

/* What the scratch folder holds at first, and what is taken from it when no process of the run is
 * left. It then stands on the disk, whatever the kind of jail. */
struct jail_folder {
    enum status (*fill)(void *context, int folder, struct error *error); /* it is empty */
    void (*collect)(void *context, int folder); /* names, kinds and links in it are hostile */
    void *context;
};

struct jail_spec {
    enum jail_profile profile;
    const char *program;     /* absolute path of an ELF file */
    const char *const *argv; /* ended by NULL; argv[0] is JAIL_PROGRAM inside, whatever it says */
    const void *request;     /* becomes descriptor 0, a sealed file */
    size_t request_length;
    int data_fd;              /* becomes JAIL_DATA_FD; -1: none */
    int input_fd;             /* becomes descriptor 0 in place of the request; 0: none */
    int shared_fd;            /* becomes JAIL_SHARED_FD; 0: none */
    const char *libraries;    /* a folder in which libraries are looked for first; NULL: none */
    const char *const *shown; /* absolute paths of files and folders to show read-only at the same
                                 place, ended by NULL; NULL: none. Files bring their libraries. */
    const struct jail_folder *folder; /* of a profile with a scratch folder; NULL: an empty one */
    jail_taker *take;                 /* NULL: the result keeps it; else within the same limits */
    void *take_context;
    int cancel_fd; /* readable or hung up: the run ends now, JAIL_LIMIT_CANCELLED; 0: none */
    struct jail_meter *meter, *beside; /* of this run, and of one that it waits for: with
                                          most_seconds; NULL: none */
    struct jail_limits limits;
};

/* What ended a run, or was reached while it ended badly. */
enum jail_limit {
    JAIL_LIMIT_NONE,
    JAIL_LIMIT_WALL,
    JAIL_LIMIT_CPU,
    JAIL_LIMIT_MEMORY,
    JAIL_LIMIT_PROCESSES,
    JAIL_LIMIT_OUTPUT,
    JAIL_LIMIT_FILE_SIZE,
    JAIL_LIMIT_FILE_COUNT, /* in the scratch folder */
    JAIL_LIMIT_SYSCALL,    /* a forbidden system call; it has no figure */
    JAIL_LIMIT_CANCELLED   /* by jail_spec.cancel_fd; likewise */
};

/* guards.def: one bit (1 << id) each in masks. */
enum jail_guard {
#define GUARD(id, name, kinds, title, enable) JAIL_GUARD_##id,
#include "sandbox/isolation/guards.def"
#undef GUARD
    JAIL_GUARD_COUNT
};

struct jail_guard_info {
    const char *name; /* "memory-cgroup": for scripts */
    const char *title;
    const char *enable; /* how to get it where it is missing */
    const char *kinds;  /* of jail that are not made without it: letters of guards.def */
};
extern const struct jail_guard_info jail_guard_infos[JAIL_GUARD_COUNT];
bool jail_guard_is_essential(enum jail_guard guard, enum jail_kind kind);

struct jail_result {
    enum jail_limit limit;
    double limit_value, seen_value; /* seconds, bytes or a count; see jail_limit_describe() */
    int exit_code;                  /* -1 where it did not exit by itself */
    int signal;                     /* that ended it; 0: none. SIGKILL where the jail did. A
                                       program that exits with 128 + n looks like one that
                                       signal n ended (bubblewrap says only that number): with 159
                                       its own fault is called a forbidden system call */
    struct text response;           /* of descriptor 1, at most limits.output_bytes */
    struct text messages;           /* the first 64 KiB of descriptor 2 */
    double wall_ms, cpu_ms;         /* set-up and tear-down are in it */
    uint64_t peak_memory_bytes; /* with a memory cgroup all together, else the largest process */
    uint32_t guards;            /* those in force; Landlock: once it has called jail_enter() */
};

/* STATUS_ENVIRONMENT where the jail cannot be made or the program not be started: message and hint
 * are for the user. Everything that happens later is in *result. */
enum status jail_run(const struct jail_spec *spec, struct jail_result *result, struct error *error);
void jail_result_free(struct jail_result *result);

/* "memory limit: 2.0 GiB reached", "wall clock limit: 10 s reached", "forbidden system call";
 * "" where no limit ended it. Trusted text. */
void jail_limit_describe(const struct jail_result *result, char *buffer, size_t size);
const char *
jail_limit_name(enum jail_limit limit); /* "memory", "wall", "system-call": for scripts */

/* Every default filled in. */
struct jail_limits jail_limits_resolve(enum jail_profile profile, const struct jail_limits *limits);

/* --unsafe-no-jail: from now on programs run as this user, with every file and system call; limits
 * and supervision stay. Set once, before the first run. */
void jail_set_unsafe(bool unsafe);
bool jail_is_unsafe(void);

/* --jail: which kind is made from now on; JAIL_AUTO where nothing was said. Before the first run.
 */
void jail_set_kind(enum jail_kind kind);
enum jail_kind jail_asked(void); /* what was said */
/* The kind of this process's runs; finds out the first time, as jail_check() does. JAIL_AUTO where
 * there can be none. */
enum jail_kind jail_kind(void);
/* Why the first kind could not be made where the second one is; else NULL. */
const struct error *jail_why_not_namespaces(void);

/* What this machine can enforce, found out by the first run; where there was none, by one of a
 * program that does nothing (3-10 ms). Kept afterwards. STATUS_ENVIRONMENT with message and hint
 * where an essential guard is missing; *guards is filled either way. */
enum status jail_check(uint32_t *guards, struct error *error);

/* For jailed programs: gives up for good what the start needed, before anything hostile is read:
 * Landlock, the profile's second filter, RLIMIT_NPROC. Threads that exist are included. Ends the
 * process where that fails. False, and nothing done, where it was started without a jail. */
bool jail_enter(enum jail_profile profile);
enum { JAIL_EXIT_NOT_SEALED = 125 }; /* its exit code then */

/* Where the program's own file is seen inside. It starts in "/"; with JAIL_TOOLS in an empty folder
 * of its own, which it may write to and which is gone afterwards, without a jail too. */
#define JAIL_PROGRAM "/warpgrade-worker"

#endif
