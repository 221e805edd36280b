/* Runs that were interrupted and are gone on with, two at once, and machines that cannot judge. */
#include "tests/unit/batch/class_fixture.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <sys/wait.h>

/* ---- what was begun ----------------------------------------------------------------------- */

#define SECRET                                                                                     \
    "course: C\nexercises: [dot, saxpy]\noutput: out\nstudents:\n"                                 \
    "  - {id: ada, repository: ada}\n  - {id: bob, repository: bob}\n"                             \
    "  - {id: cy, repository: cy}\n"

static void three_students(void) {
    student("cy", "score 40", "score 30");
    student("ada", "score 90", "score 80");
    student("bob", "score 60", "score 50");
    write_file("COURSE.yaml", SECRET);
}

/* A run that is ended with its first submission judged. */
static void interrupt(struct batch_options options) {
    options.jobs = 1;
    end_at = judged + 1;
    struct run run = run_with(options);
    free(run.summary);
    assert_true(run.ended);
    end_at = 0;
}

static uint64_t seed_of(struct batch_options options) {
    struct run run = run_with(options);
    assert_int_equal(run.ran, STATUS_OK);
    free(run.summary);
    return run.seed;
}

static int64_t ask(const char *sql) {
    char *command = mem_printf("sqlite3 %s \"%s\"", in_folder("gradebook.sqlite"), sql);
    FILE *pipe = popen(command, "r");
    long long value = -1;
    assert_int_equal(fscanf(pipe, "%lld", &value), 1);
    pclose(pipe);
    free(command);
    return value;
}

static const char *const bob = "bob", *const cy = "cy";
#define ONLY(who) .only = &who, .only_count = 1

/* Also with runs for one student in between, finished and not. */
static void an_interrupted_run_keeps_its_seed(void **state) {
    (void)state;
    three_students();
    interrupt((struct batch_options){0});
    size_t before = judged;
    assert_true(before < 6);
    secret_seed = 100;
    assert_int_equal(seed_of((struct batch_options){ONLY(bob), .has_seed = true, .seed = 3}), 3);
    interrupt((struct batch_options){ONLY(cy), .all = true, .has_seed = true, .seed = 4});
    commit_again("bob", &(struct fixture_file){"dot.cu", "score 62"});
    assert_int_equal(seed_of((struct batch_options){ONLY(bob)}), 99);
    assert_int_equal(seed_of((struct batch_options){.since = "2020-01-01"}), 99);
    assert_int_equal(seed_of((struct batch_options){0}), 99);
    assert_grade("ada", "saxpy", "score", "80");
    assert_grade("ada", "dot", "attempts", "1");
    assert_int_equal(seed_of((struct batch_options){0}), 100); /* that was the end of it */
}

/* What a command named is that command's: whoever saw it knows the seed. */
static void a_named_seed_is_not_taken_over(void **state) {
    (void)state;
    three_students();
    interrupt((struct batch_options){.has_seed = true, .seed = 7});
    assert_int_equal(seed_of((struct batch_options){.dry_run = true}), 99);
    interrupt((struct batch_options){.all = true, .has_seed = true, .seed = 7});
    size_t before = judged;
    assert_int_equal(seed_of((struct batch_options){.all = true, .has_seed = true, .seed = 7}), 7);
    assert_true(judged <= before + 5); /* not what the interrupted one had */
    assert_int_equal(seed_of((struct batch_options){0}), 99);
}

/* What was graded again is not graded once more, and what was not yet is: by a run without --all
 * and by the same command. */
static void an_interrupted_all_is_completed(void **state) {
    (void)state;
    three_students();
    assert_int_equal(seed_of((struct batch_options){0}), 99);
    secret_seed = 100;
    size_t before = judged;
    interrupt((struct batch_options){.all = true});
    secret_seed = 5;
    assert_int_equal(seed_of((struct batch_options){ONLY(bob), .has_seed = true, .seed = 3}), 3);
    interrupt((struct batch_options){0}); /* and once more */
    assert_int_equal(seed_of((struct batch_options){.all = true}), 100);
    assert_true(judged <= before + 6 + 2 + 2); /* bob; what was being judged at an end */
    assert_int_equal(ask("SELECT count(*) FROM attempt a JOIN grading g ON g.id = (SELECT max(id)"
                         " FROM grading WHERE attempt = a.id) WHERE seed = 100"),
                     6);
    before = judged;
    assert_int_equal(seed_of((struct batch_options){0}), 5);
    assert_int_equal(judged, before);
}

/* ---- two at once -------------------------------------------------------------------------- */

static int lock_error; /* what fcntl() answers instead of locking */

int fcntl(int descriptor, int command, ...) {
    va_list arguments;
    va_start(arguments, command);
    long argument = va_arg(arguments, long);
    va_end(arguments);
    if (command == F_SETLK && lock_error) {
        errno = lock_error;
        return -1;
    }
    return (int)syscall(SYS_fcntl, descriptor, command, argument);
}

static void a_second_batch_is_refused(void **state) {
    (void)state;
    three_students();
    free(run_batch(NULL, NULL).summary);
    assert_false(file_exists(in_folder("gradebook.sqlite.lock")));
    int ready[2];
    assert_int_equal(pipe(ready), 0);
    const struct batch_options options = {.course = in_folder("COURSE.yaml")};
    struct batch *batch;
    pid_t other = fork();
    if (other == 0) {
        char byte = (char)batch_open(&options, &batch, NULL);
        if (write(ready[1], &byte, 1) == 1)
            pause();
        _exit(1);
    }
    char byte = 1;
    assert_int_equal(read(ready[0], &byte, 1), 1);
    assert_int_equal(byte, STATUS_OK);
    struct error error;
    assert_int_equal(batch_open(&options, &batch, &error), STATUS_ENVIRONMENT);
    cleanup_free char *who =
        mem_printf("another batch of this course is running: process %d on ", (int)other);
    assert_non_null(strstr(error.message, who));
    assert_non_null(strstr(error.message, ", since 20"));
    assert_int_equal(run_with((struct batch_options){.dry_run = true}).ran, STATUS_OK);
    kill(other, SIGKILL);
    waitpid(other, NULL, 0);
    close(ready[0]);
    close(ready[1]);
    struct run run = run_batch(NULL, NULL); /* a killed one holds nothing */
    assert_int_equal(run.opened, STATUS_OK);
    free(run.summary);
    assert_false(file_exists(in_folder("gradebook.sqlite.lock")));
}

static void a_folder_without_locks(void **state) {
    (void)state;
    three_students();
    lock_error = ENOLCK;
    struct error error;
    struct batch *batch;
    const struct batch_options options = {.course = in_folder("COURSE.yaml")};
    enum status status = batch_open(&options, &batch, &error);
    lock_error = 0;
    assert_int_equal(status, STATUS_ENVIRONMENT);
    assert_non_null(strstr(error.message, "gradebook.sqlite.lock cannot be locked: No locks"));
    assert_non_null(strstr(error.hint, "where files can be locked"));
}

/* ---- what the machine cannot judge -------------------------------------------------------- */

static void failures_cost_their_rows(void **state) {
    (void)state;
    student("ada", "environment", "environment 1");
    student("bob", "environment", "environment 2");
    student("cy", "environment 3", "environment 4");
    student("dan", "internal 5", "score 80");
    write_file("COURSE.yaml", COURSE "students:\n  - {id: ada, repository: ada}\n"
                                     "  - {id: bob, repository: bob}\n"
                                     "  - {id: cy, repository: cy}\n"
                                     "  - {id: dan, repository: dan}\n");
    struct run run = run_with((struct batch_options){.jobs = 1});
    assert_int_equal(run.ran, STATUS_OK);
    assert_int_equal(run.exit, STATUS_BELOW_MARK);
    assert_non_null(strstr(run.summary, "ada saxpy: no NVRTC here"));
    free(run.summary);
    assert_grade("ada", "saxpy", "status", "unjudged");
    assert_grade("ada", "saxpy", "score", "");
    assert_grade("cy", "dot", "status", "unjudged");
    assert_grade("dan", "dot", "status", "unjudged");
    assert_grade("dan", "saxpy", "score", "80");
}

static void a_machine_that_cannot_judge_ends_the_run(void **state) {
    (void)state;
    cleanup_text struct text course = {0};
    text_append(&course, COURSE "students:\n");
    for (int i = 0; i < 6; i++) {
        char name[8], dot[16], saxpy[16];
        snprintf(name, sizeof name, "s%d", i);
        snprintf(dot, sizeof dot, "score %d", i);
        snprintf(saxpy, sizeof saxpy, "score %d", 50 + i);
        student(name, dot, saxpy);
        text_printf(&course, "  - {id: %s, repository: %s}\n", name, name);
    }
    write_file("COURSE.yaml", text_string(&course));
    machine_fails = true;
    cards = 1; /* one after the other */
    struct run run = run_batch(NULL, NULL);
    assert_int_equal(run.ran, STATUS_ENVIRONMENT);
    assert_non_null(strstr(run.error.message, "3 submissions in a row could not be judged, and "
                                              "neither can the tuned kernel of "));
    assert_non_null(strstr(run.error.message, "no NVRTC here"));
    assert_non_null(strstr(run.error.hint, "warpgrade doctor"));
    free(run.summary);
    machine_fails = false;
    run = run_batch(NULL, NULL);
    assert_int_equal(run.exit, STATUS_OK);
    free(run.summary);
    assert_grade("s5", "saxpy", "score", "55");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(an_interrupted_run_keeps_its_seed),
        TEST(a_named_seed_is_not_taken_over),
        TEST(an_interrupted_all_is_completed),
        TEST(a_second_batch_is_refused),
        TEST(a_folder_without_locks),
        TEST(failures_cost_their_rows),
        TEST(a_machine_that_cannot_judge_ends_the_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
