/* The workers' one way in: no role runs where a wall of the jail is missing, where the request is
 * not what the role's row allows, or without having come through it. */
#include "sandbox/build/build.h"
#include "sandbox/card/card.h"
#include "sandbox/cuda/session.h"
#include "sandbox/engine/engine.h"
#include "sandbox/isolation/jail_private.h"
#include "sandbox/worker/entry.h"
#include "sandbox/worker/probe.h"
#include "sandbox/worker/worker.h"

#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"

#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum { REQUEST_MAX = 256, NO_SEAL = -1 };

static int run_echo(const struct worker_entry *entry, struct text *response) {
    const struct protocol_message *request = worker_request(entry);
    text_append_bytes(response, "ran: ", 5);
    text_append_bytes(response, request->bulk, request->bulk_length);
    return 0;
}

static const struct worker_role echo = {
    .name = "echo", .profile = JAIL_SIMULATOR, .request_max = REQUEST_MAX, .run = run_echo};

/* On a descriptor that no worker has. */
static int file_of(const void *bytes, size_t length) {
    cleanup_fd int file = memfd_create("test", MFD_CLOEXEC);
    assert_int_equal(pwrite(file, bytes, length, 0), length);
    return fcntl(file, F_DUPFD_CLOEXEC, 16);
}

struct outcome {
    int code;
    char response[64];
};

static struct outcome enter(bool jailed, int seal, const void *request, size_t length) {
    struct outcome outcome = {0};
    cleanup_fd int input = file_of(request, length), output = file_of("", 0);
    pid_t child = fork();
    if (child == 0) {
        int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
        dup2(input, STDIN_FILENO);
        dup2(output, STDOUT_FILENO);
        dup2(null, STDERR_FILENO);
        close(JAIL_SEAL_FD);
        if (seal != NO_SEAL)
            dup2(seal, JAIL_SEAL_FD);
        worker_enter(&echo, jailed);
    }
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    outcome.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    assert_true(pread(output, outcome.response, sizeof outcome.response - 1, 0) >= 0);
    return outcome;
}

static struct outcome enter_with_frame(bool jailed, int seal) {
    cleanup_text struct text frame = {0};
    protocol_frame(&frame, json_object(), "it", 2);
    return enter(jailed, seal, frame.data, frame.length);
}

static void assert_refused(struct outcome outcome, int code) {
    assert_int_equal(outcome.code, code);
    assert_string_equal(outcome.response, "");
}

static void a_role_reads_its_request_and_answers(void **state) {
    (void)state;
    struct outcome outcome = enter_with_frame(false, NO_SEAL);
    assert_int_equal(outcome.code, 0);
    assert_string_equal(outcome.response, "ran: it");
}

static void no_role_runs_in_a_jail_without_its_filter(void **state) {
    (void)state;
    if (!JAIL_ASAN) /* which has none */
        assert_refused(enter_with_frame(true, NO_SEAL), JAIL_EXIT_NOT_SEALED);
    cleanup_fd int empty = file_of("", 0), cut = file_of("cut", 3);
    assert_refused(enter_with_frame(true, empty), JAIL_EXIT_NOT_SEALED);
    assert_refused(enter_with_frame(false, cut), JAIL_EXIT_NOT_SEALED);
}

static void no_role_runs_without_the_outer_walls(void **state) {
    (void)state;
    if (prctl(PR_GET_SECCOMP, 0, 0, 0, 0) == SECCOMP_MODE_FILTER &&
        prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1)
        skip(); /* this test runs in a jail itself */
    const struct sock_filter allow = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    cleanup_fd int seal = file_of(&allow, sizeof allow);
    assert_refused(enter_with_frame(true, seal), JAIL_EXIT_NOT_SEALED);
}

static void no_role_runs_on_a_request_that_its_row_does_not_allow(void **state) {
    (void)state;
    assert_refused(enter(false, NO_SEAL, "", 0), WORKER_EXIT_REFUSED);
    assert_refused(enter(false, NO_SEAL, "WGF1 is no frame", 16), WORKER_EXIT_REFUSED);
    static const char bulk[REQUEST_MAX];
    cleanup_text struct text frame = {0};
    protocol_frame(&frame, json_object(), bulk, sizeof bulk);
    assert_refused(enter(false, NO_SEAL, frame.data, frame.length), WORKER_EXIT_REFUSED);
}

static void no_role_runs_that_was_not_entered(void **state) {
    (void)state;
    const struct worker_role *const roles[] = {
        &build_role, &build_tools_role, &engine_sim_role, &engine_batch_role, &cuda_role,
        &metal_role, &probe_roles[0],   &probe_roles[1],  &probe_roles[2],
    };
    for (size_t i = 0; i < ARRAY_LENGTH(roles); i++) {
        pid_t child = fork();
        if (child == 0) {
            struct text response = {0};
            close(STDERR_FILENO);
            _exit(roles[i]->run(NULL, &response));
        }
        int status = -1;
        assert_int_equal(waitpid(child, &status, 0), child);
        if (!WIFEXITED(status) || WEXITSTATUS(status) != JAIL_EXIT_NOT_SEALED)
            fail_msg("the role %s ran: status %d", roles[i]->name, status);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_role_reads_its_request_and_answers),
        cmocka_unit_test(no_role_runs_in_a_jail_without_its_filter),
        cmocka_unit_test(no_role_runs_without_the_outer_walls),
        cmocka_unit_test(no_role_runs_on_a_request_that_its_row_does_not_allow),
        cmocka_unit_test(no_role_runs_that_was_not_entered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
