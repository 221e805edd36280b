/* What the files of the jail share; private to the room.
 *
 *     jail.c     the door: from a spec to a result
 *     profile.c  what each kind of program may have
 *     limits.c   the defaults of limits
 *     slot.c     a user id, cgroups and a lock for the time of a run
 *     cgroup.c   memory, processes and CPU time of a whole tree, v1 and v2
 *     files.c    what a program needs to see: its libraries, opened
 *     command.c  bubblewrap's command line
 *     filter.c   the lists of system calls as programs of the kernel
 *     landlock.c the files of the second jail
 *     launch.c   fork and exec
 *     keeper.c   the end of a launch whose grader was killed
 *     watch.c    supervision: clocks, caps, accounting, the end
 *     tree.c     accounting without cgroups
 *     scratch.c  a scratch folder on the disk
 *     describe.c limits in words
 *     guards.c   what is in force, and what to say where something is not
 *     check.c    what this machine can enforce
 *     protection.c  the same for reports
 *     enter.c    the program's own side */
#ifndef WARPGRADE_SANDBOX_ISOLATION_JAIL_PRIVATE_H
#define WARPGRADE_SANDBOX_ISOLATION_JAIL_PRIVATE_H

#include "sandbox/isolation/jail.h"

#include <linux/filter.h>
#include <sys/resource.h>
#include <sys/types.h>

#if defined(__SANITIZE_ADDRESS__)
#define JAIL_ASAN 1
#else
#define JAIL_ASAN 0
#endif

enum {
    SEES_SYSTEM = 1,
    SEES_PROC = 2,
    SEES_NULL = 4,
    SEES_SCRATCH = 8,
    SEES_GPU = 16,
    OPENS_FILES = 32,  /* after jail_enter() too */
    WRITES_FILES = 64, /* likewise: what it sees is all that keeps it from others */
    HIDES_REAPER = 128,
};

struct profile {
    const char *name;
    unsigned processes;
    uint64_t file_bytes;
    unsigned sees;
};
extern const struct profile jail_profiles[JAIL_PROFILE_COUNT];

/* Of a memory cgroup on top of limits.memory_bytes: bubblewrap, page tables, kernel stacks. What
 * the program allocates itself meets RLIMIT_DATA first and hears of it from malloc(). */
enum { MEMORY_SLACK_BYTES = 64 << 20 };

/* --- cgroup.c --- */

enum cgroup_controller { CGROUP_MEMORY, CGROUP_PROCESSES, CGROUP_CPU, CGROUP_CONTROLLER_COUNT };

/* Where this process may make cgroups: a folder for each controller; NULL: none. With version 2 all
 * that are there are the same one. */
struct cgroup_place {
    int version; /* 0: no controller at all */
    char *folders[CGROUP_CONTROLLER_COUNT];
};
/* Looks at the two files of /proc/self (given as texts, so that tests can), and tries. `prefix`
 * stands before every path: "". */
void cgroup_place_find(struct cgroup_place *place, const char *mounts, const char *own,
                       const char *prefix);
void cgroup_place_free(struct cgroup_place *place);

struct cgroup {
    int version;
    char *folders[CGROUP_CONTROLLER_COUNT];
    uint64_t cpu_before_us, oom_before, refused_before;
};
struct cgroup_usage {
    double cpu_ms;
    uint64_t peak_memory_bytes;
    uint64_t oom_kills; /* processes that the kernel ended for lack of memory */
    uint64_t refused;   /* forks that it refused */
};
/* Makes the folders NAME; what a killed grader left there is ended and removed first. Controllers
 * that cannot be had are left out. False where something there does not end. */
bool cgroup_open(struct cgroup *cgroup, const struct cgroup_place *place, const char *name);
/* Empties the counters and sets the limits, before each run. False where one cannot be set; with
 * EBUSY where something of an earlier run is still there, although it was killed. */
bool cgroup_prepare(struct cgroup *cgroup, const struct jail_limits *limits);
/* Opens the files through which a process joins, at most three. Of version 2 also the folder, which
 * a process can be born into (*folder; else -1). */
bool cgroup_join_files(const struct cgroup *cgroup, int files[CGROUP_CONTROLLER_COUNT],
                       size_t *count, int *folder);
void cgroup_read(const struct cgroup *cgroup, struct cgroup_usage *usage);
void cgroup_kill(const struct cgroup *cgroup);
/* Kills what is left there; whether nothing is, at once. */
bool cgroup_is_empty(const struct cgroup *cgroup);
/* What is left there, in words; caller frees. */
char *cgroup_left(const struct cgroup *cgroup);
void cgroup_close(struct cgroup *cgroup); /* removes the folders */
/* Ends what is in the folders NAME, where there are such, and removes them. */
void cgroup_remove(const struct cgroup_place *place, const char *name);

/* --- slot.c --- */

struct slot {
    unsigned number;
    int lock;
    bool busy;
    bool aside; /* something in its cgroup was killed and has not ended */
    bool own_user;
    uid_t user;
    struct cgroup cgroup;
};
struct slot *slot_take(struct error *error); /* NULL: error is filled */
/* Removes the cgroups and scratch folders of slots whose grader is no more; false where some locks
 * are held, by other graders or by what has not yet died. Not for a process with slots of its own.
 */
bool slots_sweep(void);
int slot_cgroup_version(void); /* likewise; 0: no cgroup */
const char *slot_folder(void); /* of the locks; of a process that has taken a slot */
void slot_give(struct slot *slot);
/* Gives it back, and no run gets it before its cgroup is empty. */
void slot_set_aside(struct slot *slot);
/* The scratch folder of the slot's run, which is removed with the slot where its grader is killed;
 * NULL: it has been. */
bool slot_keep_scratch(const struct slot *slot, const char *scratch);
/* For tests: gives idle slots back and makes new ones in this place, which is copied (NULL: what
 * the machine has). */
void slots_reset(const struct cgroup_place *place);
/* For tests: slots below this number, and so their user ids, are left to other graders. */
void slots_begin_at(unsigned number);

/* --- files.c --- */

struct shown_file {
    char *outside;
    char *named;    /* the same before links were resolved: libraries are asked for by that name */
    char *inside;   /* where it is seen */
    char *staged;   /* of one that the run's user cannot reach: where it can; else NULL */
    bool is_closed; /* it cannot */
    bool is_folder;
    bool is_run;      /* the program and its loader */
    bool is_searched; /* a library that was asked for, and may be by its bare name */
};
struct shown_files {
    struct shown_file *items;
    size_t count, capacity;
    bool has_libraries; /* some stand in JAIL_LIBRARIES */
};
#define JAIL_LIBRARIES "/libraries"
/* The program, what is shown, and their libraries. */
enum status shown_files_open(struct shown_files *files, const struct jail_spec *spec,
                             struct error *error);
void shown_files_close(struct shown_files *files);
/* LD_LIBRARY_PATH of a run that sees files where they are; NULL: none is needed. Caller frees. */
char *shown_files_library_path(const struct shown_files *files);

/* --- filter.c --- */

enum filter_part {
    FILTER_START,
    FILTER_SEALED,       /* what is left after jail_enter() */
    FILTER_SHARED,       /* of the second jail, on top of the others, from the start */
    FILTER_SHARED_PLAIN, /* the same of a run that has no user of its own */
    FILTER_PART_COUNT
};
/* The program of the kernel for a part of a profile; kept for good. False where libseccomp cannot
 * make it. */
bool filter_program(enum jail_profile profile, enum filter_part part, const void **program,
                    size_t *length);

/* What JAIL_SEAL_FD holds: this, and FILTER_SEALED. */
struct seal {
    uint32_t kind; /* enum jail_kind */
    uint32_t unused;
};

/* --- landlock.c --- */

int landlock_version(void); /* 0: none */
/* For tests: an older kernel's; -1: the machine's. */
void landlock_pretend(int version);
/* A descriptor of the rules for what a profile sees, with the scratch folder (NULL: none); -1:
 * errno says why. */
int landlock_rules(enum jail_profile profile, const struct shown_files *files, const char *scratch);
/* Rights that a run of this profile needs in its own folder of /proc, which is there once it has
 * been forked; 0: none. */
uint64_t landlock_own_proc(enum jail_profile profile);

/* --- command.c --- */

/* Numbers of descriptors in the child. */
enum { CHILD_ARGUMENTS = JAIL_SHARED_FD + 1, CHILD_FILTER, CHILD_STATUS };
/* ASAN_OPTIONS of a program that was built with it (limits.c); caller frees. */
char *jail_asan_options(const struct jail_limits *limits);
char *command_find_bubblewrap(void); /* NULL: not found; caller frees */
/* bubblewrap's options, each ended by NUL. */
void command_write(struct text *options, const struct jail_spec *spec,
                   const struct jail_limits *limits, const struct shown_files *files,
                   const char *scratch); /* a folder on the disk; NULL: inside */

/* --- launch.c --- */

enum { LAUNCH_MAX_DESCRIPTORS = 9, LAUNCH_MAX_STAGED = 32, LAUNCH_MAX_FILTERS = 2 };

/* Everything that the child needs, made ready before the fork. */
struct jail_launch_state {
    int program; /* O_PATH: what is executed */
    char *const *argv;
    char *const *environment;
    struct {
        int from, to;
    } descriptors[LAUNCH_MAX_DESCRIPTORS]; /* `to` ascending, each `from` above all of them */
    size_t descriptor_count;
    int joins[CGROUP_CONTROLLER_COUNT];
    size_t join_count;
    int cgroup;        /* a folder of version 2 to be born in, where the kernel can; else -1 */
    const char *stage; /* a folder that is mounted over; staged files appear in it */
    struct {
        const char *from, *to;
        bool is_folder;
    } staged[LAUNCH_MAX_STAGED];
    size_t staged_count;
    bool drops_user;
    uid_t user;
    const char *folder; /* where it starts */
    struct {
        int resource;
        struct rlimit limit;
    } limits[8];
    size_t limit_count;
    /* Of the second jail, whose walls are put up by the child itself. */
    const char *path; /* executed by name: its list of system calls has no execveat() */
    bool is_closed;   /* ... which the user cannot reach, so that its descriptor's name is taken */
    bool closes_itself; /* else none of what follows */
    int rules;          /* Landlock's */
    uint64_t own_proc;  /* rights in the run's own folder of /proc; 0: none */
    struct sock_fprog filters[LAUNCH_MAX_FILTERS];
    size_t filter_count;
    bool signals_itself_only; /* where neither Landlock nor a user of its own sees to that */
    int failure; /* write end of the pipe by which the child says that it could not start */
    pid_t supervisor;
    int keeper; /* of keeper_open() */
};
void launch_add_descriptor(struct jail_launch_state *launch, int from, int to);
void launch_set_limits(struct jail_launch_state *launch, const struct jail_limits *limits,
                       bool limit_data);
/* For a run whose processes no cgroup counts; `others`: what else this user has running. */
void launch_limit_user(struct jail_launch_state *launch, const struct jail_limits *limits,
                       unsigned others);
/* Forks; 0 or the errno of what failed in either process, with *step naming it. */
int launch_start(const struct jail_launch_state *launch, int failure_read, pid_t *pid,
                 const char **step);

/* --- keeper.c --- */

int keeper_open(void); /* a descriptor of this process's keeper; -1: there is none */
/* A session that begins; negative: one that is over. Async-signal-safe. */
void keeper_tell(int keeper, pid_t said);
/* Kills and reaps what is in a session of a launch that ended before process 1 was known. */
void keeper_end_session(pid_t session);

/* --- scratch.c: the scratch folder that stands on the disk --- */

char *scratch_make(struct error *error); /* NULL: error is filled; caller frees */
void scratch_remove(const char *folder); /* with all that is in it */
/* The folder with all that is in it becomes the user's; false: errno says why. Before a run. */
bool scratch_give(const char *folder, uid_t user);
enum status scratch_fill(const char *folder, const struct jail_folder *with, uint64_t *files,
                         uint64_t *bytes, struct error *error); /* and what is in it then */
void scratch_collect(const char *folder, const struct jail_folder *with);
/* Counts until there are more files, or bytes on the disk, than that. */
void scratch_measure(const char *folder, uint64_t most_files, uint64_t most_bytes, uint64_t *files,
                     uint64_t *bytes);

/* --- tree.c --- */

struct tree_usage {
    double cpu_ms; /* of those that live */
    uint64_t memory_bytes;
    unsigned processes; /* threads */
};
/* A process and all its descendants, by /proc. False where it is gone. */
bool tree_read(pid_t root, struct tree_usage *usage);
/* Processes and threads of a user on this machine, as far as they can be seen. */
unsigned tree_count_user(uid_t user);
/* 0 where the process is gone. */
pid_t jail_process_parent(pid_t pid);

/* --- guards.c --- */

/* Those that were in force during a run. */
uint32_t guards_of(enum jail_kind kind, enum jail_profile profile, const struct slot *slot);
uint32_t guards_of_simulator(void); /* those that a run of another profile may lack */
/* An essential one is missing: why, in the words of bubblewrap (may be ""), and what to do. */
enum status guards_refuse(const char *reason, struct error *error);
enum status guards_need_bubblewrap(struct error *error);
enum status guards_need_landlock(struct error *error);

/* --- jail.c --- */

/* jail_run() in a jail of this kind. */
enum status jail_run_in(enum jail_kind kind, const struct jail_spec *spec,
                        struct jail_result *result, struct error *error);

/* --- check.c --- */

/* Whether nobody knows yet which jail there is, and this run may find out: the full jail is tried
 * with it. */
bool jail_may_be_trial(const struct jail_spec *spec);
void jail_trial_succeeded(uint32_t guards);

/* --- watch.c --- */

struct watch {
    pid_t pid; /* our child: bubblewrap, or the program itself */
    int pidfd;
    enum jail_kind kind;
    int response, messages, status;    /* read ends; status: bubblewrap's, else -1 */
    int cancel;                        /* jail_spec.cancel_fd; -1: none */
    struct jail_meter *meter, *beside; /* as of jail_spec */
    jail_taker *take;                  /* jail_spec.take */
    void *take_context;
    size_t taken[2]; /* bytes of descriptors 1 and 2 */
    const struct cgroup *cgroup;
    const struct jail_limits *limits;
    bool has_scratch;                    /* inside a mount namespace */
    const char *scratch;                 /* a folder on the disk, in a jail; else NULL */
    uint64_t filled_files, filled_bytes; /* that stood in it before */
    uint64_t data_bytes; /* shared with us; counts as the tree's where no cgroup counts */
    struct jail_result *result;
    /* kept by watch_run() */
    pid_t init; /* process 1 of the jail as we see it; 0: not known yet */
    int init_pidfd;
    int outer_signal; /* that ended our child; 0: none */
    int trouble;      /* errno of what kept us from watching; 0: nothing did */
    bool finished;    /* bubblewrap reported how the program ended */
    int code;         /* then: exit code, or 128 + signal */
    struct text reported;
    uint64_t peak_bytes;
    double cpu_ms;
    double started_ms;
    bool overdue;     /* the wall clock's limit is over */
    double worked_ms; /* processor time when that was last looked at */
    double next_measure_ms;
};
/* Until everything has ended and nothing of it is left. False where we could not watch it or
 * the kernel does not tell how it ended: `trouble` says why. */
bool watch_run(struct watch *watch);

#endif
