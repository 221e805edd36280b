/* warpgrade-worker, taken over: see attack.h. The marker is a comment that NVRTC carries from the
 * submission's inline assembly into the PTX, so that both workers see it:
 *
 *     // warpgrade-attack NAME ROLE STAGE TOKEN HARNESS PORT WORK OTHER SOURCE END */
#include "tests/attacks/attacker/attack.h"

#include "sandbox/base/clock.h"
#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"
#include "sandbox/build/build.h"
#include "sandbox/engine/engine.h"
#include "sandbox/isolation/jail.h"
#include "sandbox/worker/worker.h"
#include "tests/support/stand_in.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SUCCEEDED = 42, FAILED = 43, MAX_ATTACKS = 256, REQUEST_MAX = 256 << 20 };

static struct {
    const char *file;
    void (*run)(const struct attack *);
} attacks[MAX_ATTACKS];
static size_t attack_count;

void attack_register(const char *file, void (*run)(const struct attack *)) {
    if (attack_count == MAX_ATTACKS)
        abort();
    attacks[attack_count].file = file;
    attacks[attack_count++].run = run;
}

/* One write: what is left of a process after an attack may not be able to do more. */
static void say(const char *prefix, const char *text, int cause) {
    char line[512];
    int length = snprintf(line, sizeof line, "%s: %.300s%s%s\n", prefix, text, cause ? ": " : "",
                          cause ? strerrorname_np(cause) : "");
    ssize_t ignored = write(STDERR_FILENO, line, (size_t)length);
    (void)ignored;
}

void attack_succeeded(const char *format, ...) {
    char text[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    say("the attack succeeded", text, 0);
    _exit(SUCCEEDED);
}

void attack_failed(const char *what) {
    say("the attack failed", what, errno);
    _exit(FAILED);
}

void attack_reached(long result, const char *what) {
    if (result < 0 && errno == ENOSYS)
        attack_failed(what);
    attack_succeeded("%s reached the kernel: %s", what,
                     result < 0 ? strerrorname_np(errno) : "done");
}

bool attack_has_time(double milliseconds) {
    static double started;
    if (started == 0)
        started = clock_ms();
    return clock_ms() - started < milliseconds;
}

bool attack_file_holds(const char *path, const char *text) {
    enum { MOST = 1 << 20 };
    cleanup_fd int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    cleanup_free char *bytes = mem_zalloc(MOST + 1);
    size_t used = 0;
    for (ssize_t got;
         descriptor >= 0 && used < MOST && (got = read(descriptor, bytes + used, MOST - used)) > 0;)
        used += (size_t)got;
    return used && memmem(bytes, used, text, strlen(text)) != NULL;
}

/* Descriptor 0 is a file in memory: looking at it takes nothing from the worker that may follow. */
const char *attack_request(size_t *length) {
    struct stat info;
    *length = 0;
    if (fstat(STDIN_FILENO, &info) != 0 || info.st_size <= 0 || info.st_size > REQUEST_MAX)
        return NULL;
    char *bytes = mem_zalloc((size_t)info.st_size + 1);
    for (ssize_t got; *length < (size_t)info.st_size &&
                      (got = pread(STDIN_FILENO, bytes + *length, (size_t)info.st_size - *length,
                                   (off_t)*length)) > 0;)
        *length += (size_t)got;
    return bytes;
}

bool attack_answer(const void *bytes, size_t length) {
    return file_write_all(STDOUT_FILENO, bytes, length);
}

static void (*find_attack(const char *name))(const struct attack *) {
    for (size_t i = 0; i < attack_count; i++) {
        const char *base = file_base_name(attacks[i].file);
        size_t length = strlen(name);
        if (strncmp(base, name, length) == 0 && strcmp(base + length, ".c") == 0)
            return attacks[i].run;
    }
    return NULL;
}

/* Fills *attack from the request's marker. False where there is none for this role. */
static bool read_marker(const char *role, struct attack *attack, char *stage) {
    static const char mark[] = "// warpgrade-attack ";
    size_t length;
    const char *request = attack_request(&length);
    const char *found = request ? memmem(request, length, mark, sizeof mark - 1) : NULL;
    int harness = 0;
    return found &&
           sscanf(found + sizeof mark - 1, "%63s %15s %15s %31s %d %d %127s %127s %511s",
                  attack->name, attack->role, stage, attack->token, &harness, &attack->port,
                  attack->work, attack->other, attack->source) == 9 &&
           (attack->harness = harness) > 0 && strcmp(attack->role, role) == 0;
}

static void attack_if_marked(const char *role, enum jail_profile profile) {
    struct attack attack = {0};
    char stage[16];
    if (!read_marker(role, &attack, stage))
        return;
    void (*run)(const struct attack *) = find_attack(attack.name);
    if (!run)
        attack_succeeded("there is no attack %s", attack.name); /* must not look like a defence */
    if (strcmp(stage, "sealed") == 0)
        jail_enter(profile);
    run(&attack);
}

static int build_main(void) {
    attack_if_marked("build", JAIL_COMPILER);
    return STAND_IN_HONEST;
}

static int tools_main(void) {
    attack_if_marked("tools", JAIL_TOOLS);
    return STAND_IN_HONEST;
}

static int sim_main(void) {
    attack_if_marked("sim", JAIL_SIMULATOR);
    return STAND_IN_HONEST;
}

/* The simulator for several launches. A grader whose batch was broken launches them one by one, so
 * that the attack goes on there. */
static int batch_main(void) {
    attack_if_marked("sim", JAIL_SIMULATOR);
    attack_if_marked("batch", JAIL_SIMULATOR);
    return STAND_IN_HONEST;
}

int main(int argc, char **argv) {
    static const struct stand_in roles[] = {
        {"build", build_main}, {"tools", tools_main}, {"sim", sim_main}, {"batch", batch_main}};
    int code;
    if (stand_in_main(roles, ARRAY_LENGTH(roles), argc, argv, &code))
        return code;
    fputs("this worker is the attacks' own\n", stderr);
    return STATUS_INVALID;
}
