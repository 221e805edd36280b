/* Many share a card, one has it alone, between threads and between processes; who waits for it
 * alone gets it although others keep coming. */
#include "card.h"

#include "sandbox/cuda/lock.h"

#include "sandbox/base/clock.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

static const struct cuda_card card = {.name = "a card", .uuid = "GPU-test-of-locks"};
static const struct cuda_card other_card = {.name = "a card", .uuid = "GPU-other-test-of-locks"};

static bool can_take(const struct cuda_card *which, bool exclusive) {
    int lock;
    enum status status = cuda_lock_take_within(which, exclusive, 0.05, &lock, &error);
    cuda_lock_release(&lock);
    assert_int_equal(lock, -1);
    return status == STATUS_OK;
}

static void test_sharing(void **state) {
    (void)state;
    int first, second;
    assert_int_equal(cuda_lock_take(&card, false, &first, &error), STATUS_OK);
    assert_int_equal(cuda_lock_take(&card, false, &second, &error), STATUS_OK);
    assert_false(can_take(&card, true));
    assert_non_null(strstr(error.message, "a card is not to be had: other graders use it"));
    assert_true(can_take(&other_card, true));
    cuda_lock_release(&first);
    assert_false(can_take(&card, true));
    cuda_lock_release(&second);
    assert_int_equal(cuda_lock_take(&card, true, &first, &error), STATUS_OK);
    assert_false(can_take(&card, true));
    assert_false(can_take(&card, false));
    cuda_lock_release(&first);
    assert_true(can_take(&card, false));
}

/* The kernel gives it back, also where its holder was killed. */
static void test_processes(void **state) {
    (void)state;
    int ends[2], status;
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        int lock;
        cuda_lock_take(&card, true, &lock, NULL);
        _exit(write(ends[1], "x", 1) == 1 && pause());
    }
    char said;
    assert_int_equal(read(ends[0], &said, 1), 1);
    assert_false(can_take(&card, false));
    kill(child, SIGKILL);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(can_take(&card, true));
    close(ends[0]);
    close(ends[1]);
}

/* A child that has a copy of the lock's descriptor keeps no one out. */
static void test_beside_a_child(void **state) {
    (void)state;
    int lock;
    assert_int_equal(cuda_lock_take(&card, true, &lock, &error), STATUS_OK);
    pid_t child = fork();
    if (child == 0) {
        sleep(60);
        _exit(0);
    }
    cuda_lock_release(&lock);
    bool free = can_take(&card, true);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    assert_true(free);
}

static atomic_bool over;

static void *keep_coming(void *argument) {
    while (!atomic_load(&over)) {
        int lock;
        if (cuda_lock_take(&card, false, &lock, NULL) != STATUS_OK)
            return argument;
        usleep(5000);
        cuda_lock_release(&lock);
    }
    return NULL;
}

static void test_turnstile(void **state) {
    (void)state;
    pthread_t threads[6];
    int lock;
    for (size_t i = 0; i < ARRAY_LENGTH(threads); i++)
        pthread_create(&threads[i], NULL, keep_coming, &over);
    usleep(50000);
    double start = clock_ms();
    for (int i = 0; i < 5; i++) {
        assert_int_equal(cuda_lock_take_within(&card, true, 20, &lock, &error), STATUS_OK);
        cuda_lock_release(&lock);
        usleep(10000);
    }
    assert_true(clock_ms() - start < 10000);
    atomic_store(&over, true);
    for (size_t i = 0; i < ARRAY_LENGTH(threads); i++) {
        void *failed;
        pthread_join(threads[i], &failed);
        assert_null(failed);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sharing),
        cmocka_unit_test(test_processes),
        cmocka_unit_test(test_beside_a_child),
        cmocka_unit_test(test_turnstile),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
