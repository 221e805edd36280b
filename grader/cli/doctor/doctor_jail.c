/* The rows about the jail: each attempt of sandbox/worker/probe.h, made for real, and who
 * counts.
 *
 * Where there can be no jail at all, the cause is looked for among the known ones, each a row of a
 * table with the steps that end it; what the supervisor limits by itself is still tried. */
#include "grader/cli/doctor/doctor.h"

#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"
#include "sandbox/isolation/protection.h"
#include "sandbox/worker/probe.h"

#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- why there is none ----------------------------------------------------------------------- */

static const struct cause {
    const char *file;  /* says so ... */
    const char *value; /* ... by this content; "": by being there */
    const char *what, *steps;
} causes[] = {
    {"/proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1",
     "AppArmor allows user namespaces to programs with a profile only (Ubuntu 23.10 and newer)",
     "Give bubblewrap a profile, as root:\n"
     "\n"
     "cat >/etc/apparmor.d/bwrap <<'END'\n"
     "abi <abi/4.0>,\n"
     "include <tunables/global>\n"
     "profile bwrap /usr/bin/bwrap flags=(unconfined) {\n"
     "  userns,\n"
     "  include if exists <local/bwrap>\n"
     "}\n"
     "END\n"
     "apparmor_parser -r /etc/apparmor.d/bwrap\n"
     "\n"
     "or allow them to every program, until the next start:\n"
     "\n"
     "sysctl -w kernel.apparmor_restrict_unprivileged_userns=0\n"},
    {"/proc/sys/kernel/unprivileged_userns_clone", "0",
     "this kernel allows user namespaces to root only",
     "As root, for good:\n"
     "\n"
     "echo kernel.unprivileged_userns_clone=1 >/etc/sysctl.d/60-userns.conf\n"
     "sysctl --system\n"},
    {"/proc/sys/user/max_user_namespaces", "0", "this kernel allows no user namespaces",
     "As root, for good:\n"
     "\n"
     "echo user.max_user_namespaces=10000 >/etc/sysctl.d/60-userns.conf\n"
     "sysctl --system\n"},
    {"/.dockerenv", "", "this is a container, whose own jail leaves no room for another one",
     "Start the container with\n"
     "\n"
     "docker run --security-opt seccomp=unconfined --security-opt apparmor=unconfined \\\n"
     "    --security-opt systempaths=unconfined ...\n"},
    {"/run/.containerenv", "", "this is a container, whose own jail leaves no room for another one",
     "Start the container with\n"
     "\n"
     "podman run --security-opt seccomp=unconfined --security-opt unmask=ALL ...\n"},
};

static bool applies(const struct cause *cause) {
    char content[64];
    if (!*cause->value)
        return file_exists(cause->file);
    cleanup_fd int descriptor = open(cause->file, O_RDONLY | O_CLOEXEC);
    ssize_t length = descriptor < 0 ? -1 : read(descriptor, content, sizeof content - 1);
    content[length > 0 ? length : 0] = '\0';
    return strtok(content, "\n") && strcmp(content, cause->value) == 0;
}

static void explain_none(struct doctor *doctor, const char *row, enum doctor_state state,
                         const struct error *error) {
    doctor_row(doctor, row, state, error->hint, "%s", error->message);
    if (!strstr(error->message, "cannot be jailed") && !strstr(error->message, "not permitted"))
        return; /* the message says it all: no bubblewrap, no place, no memory */
    for (size_t i = 0; i < ARRAY_LENGTH(causes); i++)
        if (applies(&causes[i])) {
            doctor_row(doctor, "cause", state, "See below.", "%s", causes[i].what);
            text_printf(&doctor->steps, "\n%s", causes[i].steps);
            return; /* a container comes last: it is the cause where nothing else is */
        }
}

/* ---- the attempts ---------------------------------------------------------------------------- */

/* Where secrets of this user may stand. */
static void find_secrets(char *paths[3]) {
    char folder[PATH_MAX];
    const char *home = getenv("HOME");
    size_t count = 0;
    if (home && home[0] == '/')
        paths[count++] = mem_strdup(home);
    if (getcwd(folder, sizeof folder))
        paths[count++] = mem_strdup(folder);
}

/* A plain user has no other user to be; root that stays root keeps what bubblewrap cannot take. */
static bool is_essential(enum jail_guard guard) {
    return jail_guard_is_essential(guard, jail_kind()) ||
           (guard == JAIL_GUARD_OWN_USER && geteuid() == 0);
}

static void try_guard(struct doctor *doctor, enum probe probe, const char *const *secrets) {
    const struct probe_info *info = &probe_infos[probe];
    const struct jail_guard_info *guard = &jail_guard_infos[info->guard];
    bool essential = is_essential(info->guard);
    struct probe_result result;
    struct error error;
    if (probe_run(probe, secrets, &result, &error) != STATUS_OK) {
        doctor_row(doctor, info->name, DOCTOR_FAILED, error.hint, "%s", error.message);
    } else if (result.holds) {
        doctor_row(doctor, info->name, DOCTOR_WORKS, "", "%s", result.found);
    } else {
        static const char hole[] = "The jail was made, and it leaks: please report this with the "
                                   "output of this command.";
        cleanup_free char *enable = mem_printf("To enable it: %s.", guard->enable);
        doctor_row(doctor, info->name, essential ? DOCTOR_FAILED : DOCTOR_MISSING,
                   essential ? hole : enable, "%s", result.found);
    }
}

static void try_guards(struct doctor *doctor, enum probe first) {
    char *secrets[3] = {NULL};
    find_secrets(secrets);
    for (enum probe probe = first; probe < PROBE_COUNT; probe++)
        try_guard(doctor, probe, (const char *const *)secrets);
    for (size_t i = 0; i < ARRAY_LENGTH(secrets); i++)
        free(secrets[i]);
}

static bool counts_in_kernel(const char *counter) {
    return counter && strncmp(counter, "cgroup", strlen("cgroup")) == 0;
}

static void show_counter(struct doctor *doctor, const char *what, const char *counter,
                         enum jail_guard guard) {
    cleanup_free char *enable = mem_printf("To enable it: %s.", jail_guard_infos[guard].enable);
    if (counts_in_kernel(counter))
        doctor_row(doctor, "counting", DOCTOR_WORKS, "", "%s by %s", what, counter);
    else
        doctor_row(doctor, "counting", DOCTOR_MISSING, enable,
                   "%s by no cgroup: by rlimits, and the supervisor looks every 20 ms", what);
}

static void show_counting(struct doctor *doctor) {
    struct protection p = protection_current();
    if (counts_in_kernel(p.memory) == counts_in_kernel(p.processes) &&
        counts_in_kernel(p.memory) == counts_in_kernel(p.cpu)) {
        show_counter(doctor, "memory, processes and CPU time", p.memory, JAIL_GUARD_MEMORY_CGROUP);
        return;
    }
    show_counter(doctor, "memory", p.memory, JAIL_GUARD_MEMORY_CGROUP);
    show_counter(doctor, "processes", p.processes, JAIL_GUARD_PROCESS_CGROUP);
    show_counter(doctor, "CPU time", p.cpu, JAIL_GUARD_CPU_CGROUP);
}

/* Which of the two, and why not the full one. */
static void show_kind(struct doctor *doctor) {
    const struct error *why_not = jail_why_not_namespaces();
    bool full = jail_kind() == JAIL_NAMESPACES;
    if (why_not)
        explain_none(doctor, "full jail", DOCTOR_MISSING, why_not);
    doctor_row(doctor, "jail", DOCTOR_WORKS, "", "%s",
               full ? "bubblewrap: the full jail" : "landlock: the jail without namespaces");
}

bool doctor_jail(struct doctor *doctor) {
    uint32_t guards;
    struct error error;
    bool before = doctor->failed;
    doctor->failed = false;
    bool jailed = jail_check(&guards, &error) == STATUS_OK;
    doctor_heading(doctor, "The jail, each guard tried");
    if (jailed) {
        show_kind(doctor);
        try_guards(doctor, 0);
        show_counting(doctor);
    } else {
        explain_none(doctor, "jail", DOCTOR_FAILED, &error);
        doctor_heading(doctor, "Limits without a jail");
        jail_set_unsafe(true);
        try_guards(doctor, PROBE_WALL);
    }
    doctor->jail_failed = doctor->failed;
    doctor->failed |= before;
    return jailed;
}
