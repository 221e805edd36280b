/* Cache folders: only what is new is fetched, and nothing of them is believed. file:// stands for
 * any remote here; tests/git/ has real servers. */
#include "tests/support/git_fixture.h"

#include "grader/repo/repo.h"
#include "sandbox/base/clock.h"

#include <fcntl.h>
#include <glob.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

static char *folder, *cache, *remote, *url;

static int make_remote(void **state) {
    (void)state;
    folder = fixture_folder();
    cache = mem_printf("%s/cache", folder);
    remote = mem_printf("%s/remote", folder);
    url = mem_printf("file://%s", remote);
    fixture_repository(remote, true, &(struct fixture_file){"dot.cu", "first\n"}, 1);
    return 0;
}

static int remove_remote(void **state) {
    (void)state;
    fixture_remove(folder);
    free(folder);
    free(cache);
    free(remote);
    free(url);
    return 0;
}

/* A commit on main of the remote; on top of what is there, or in its place. */
static void push(const char *content, int64_t when, bool forced) {
    git_repository *repository;
    git_oid parent;
    assert_git(git_repository_open(&repository, remote));
    assert_git(git_reference_name_to_id(&parent, repository, "refs/heads/main"));
    git_oid tree = fixture_tree(repository, &(struct fixture_file){"dot.cu", content}, 1);
    fixture_commit_on(repository, "refs/heads/main", &tree, when, &parent, forced ? 0 : 1);
    git_repository_free(repository);
}

static struct repo_want want;

static struct repo_request request_for(const char *location) {
    want =
        (struct repo_want){.candidates = {"dot.cu"}, .candidate_count = 1, .not_after = INT64_MAX};
    return (struct repo_request){.location = location,
                                 .wants = &want,
                                 .want_count = 1,
                                 .cache = cache,
                                 .time_limit_seconds = 10};
}

/* Reads and returns the flags. */
static unsigned assert_read(const char *location, const char *content) {
    struct repo_request request = request_for(location);
    struct repo_snapshot snapshot;
    struct error error;
    if (repo_read(&request, &snapshot, &error) != STATUS_OK)
        fail_msg("%s: %s (%s)", location, error.message, error.hint);
    if (snapshot.files[0].state != REPO_FILE_FOUND)
        fail_msg("%s: %s", location, snapshot.files[0].message);
    assert_string_equal(snapshot.files[0].data, content);
    unsigned flags = snapshot.files[0].flags;
    repo_snapshot_free(&snapshot);
    return flags;
}

/* The first path in the only entry of the cache that matches; static. */
static const char *find(const char *pattern) {
    static char path[512];
    char *whole = mem_printf("%s/*/%s", cache, pattern);
    glob_t found;
    path[0] = '\0';
    if (glob(whole, 0, NULL, &found) == 0)
        snprintf(path, sizeof path, "%s", found.gl_pathv[0]);
    globfree(&found);
    free(whole);
    return path;
}

static size_t count(const char *pattern) {
    char *whole = mem_printf("%s/*/%s", cache, pattern);
    glob_t found;
    size_t number = glob(whole, 0, NULL, &found) == 0 ? found.gl_pathc : 0;
    globfree(&found);
    free(whole);
    return number;
}

static void only_what_is_new_is_fetched(void **state) {
    (void)state;
    char large[200000];
    for (size_t i = 0; i < sizeof large; i++) /* does not compress well */
        large[i] = (char)('!' + (i * i * 2654435761u >> 13) % 90);
    large[sizeof large - 1] = '\0';
    push(large, FIXTURE_TIME + 1, false);
    assert_read(url, large);
    assert_int_equal(count("git/objects/pack/*.pack"), 1);
    assert_read(url, large);
    assert_int_equal(count("git/objects/pack/*.pack"), 1);
    push("third\n", FIXTURE_TIME + 2, false);
    assert_read(url, "third\n");
    assert_int_equal(count("git/objects/pack/*.pack"), 2);
    char *whole = mem_printf("%s/*/git/objects/pack/*.pack", cache);
    glob_t found;
    assert_int_equal(glob(whole, 0, NULL, &found), 0);
    struct stat one, other;
    assert_int_equal(stat(found.gl_pathv[0], &one), 0);
    assert_int_equal(stat(found.gl_pathv[1], &other), 0);
    off_t smaller = one.st_size < other.st_size ? one.st_size : other.st_size;
    assert_true(smaller < 2000);
    globfree(&found);
    free(whole);
}

static void a_folder_is_read_where_it_is(void **state) {
    (void)state;
    assert_read(remote, "first\n");
    assert_int_equal(count("git"), 0);
    push("second\n", FIXTURE_TIME + 1, false);
    assert_read(remote, "second\n");
}

static void a_rewritten_history_is_flagged(void **state) {
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        const char *location = i ? url : remote;
        assert_int_equal(assert_read(location, i ? "forced\n" : "first\n") & REPO_FLAG_REWRITTEN,
                         0);
        push("second\n", FIXTURE_TIME + 1, false);
        assert_int_equal(assert_read(location, "second\n") & REPO_FLAG_REWRITTEN, 0);
        push("forced\n", FIXTURE_TIME + 2, true);
        assert_true(assert_read(location, "forced\n") & REPO_FLAG_REWRITTEN);
        assert_true(assert_read(location, "forced\n") & REPO_FLAG_REWRITTEN);
    }
}

/* Dated before the first reading, which did not find it. */
static void a_backdated_commit_is_flagged(void **state) {
    (void)state;
    assert_int_equal(assert_read(url, "first\n"), 0);
    push("second\n", FIXTURE_TIME + 1, false);
    assert_int_equal(assert_read(url, "second\n"), REPO_FLAG_UNSEEN);
    assert_int_equal(assert_read(url, "second\n"), REPO_FLAG_UNSEEN);
    push("third\n", time(NULL) + 100, false);
    assert_int_equal(assert_read(url, "third\n"), REPO_FLAG_FUTURE);
}

static void overwrite(const char *path, const char *content) {
    assert_string_not_equal(path, "");
    chmod(path, 0600); /* packs are read-only */
    int file = open(path, O_WRONLY | O_TRUNC);
    assert_true(file >= 0);
    assert_true(file_write_all(file, content, strlen(content)));
    close(file);
}

static void what_is_broken_is_fetched_anew(void **state) {
    (void)state;
    assert_read(url, "first\n");
    overwrite(find("git/objects/pack/*.pack"), "garbage");
    assert_read(url, "first\n");
    overwrite(find("git/objects/pack/*.idx"), "");
    assert_read(url, "first\n");
    assert_int_equal(unlink(find("git/HEAD")), 0);
    assert_read(url, "first\n");
    /* one bit anywhere in the pack: the ids of objects do not fit any more */
    for (off_t at = 12; at < 400; at += 24) {
        const char *pack = find("git/objects/pack/*.pack");
        struct stat info;
        char byte;
        chmod(pack, 0600);
        int file = open(pack, O_RDWR);
        assert_int_equal(fstat(file, &info), 0);
        if (at < info.st_size) {
            assert_int_equal(pread(file, &byte, 1, at), 1);
            byte ^= 0x10;
            assert_int_equal(pwrite(file, &byte, 1, at), 1);
            assert_read(url, "first\n");
        }
        close(file);
    }
    overwrite(find("seen"), "1 x\nnonsense\xff\n");
    assert_read(url, "first\n");
}

static void an_entry_that_was_left_busy_is_fetched_anew(void **state) {
    (void)state;
    assert_read(url, "first\n");
    char *mark = mem_printf("%s/objects/mark", find("git"));
    assert_int_equal(file_write(mark, "x", 1, NULL), STATUS_OK);
    assert_read(url, "first\n");
    assert_true(file_exists(mark));
    char *busy = mem_printf("%s/busy", find(""));
    assert_int_equal(file_write(busy, "", 0, NULL), STATUS_OK);
    assert_read(url, "first\n");
    assert_false(file_exists(mark));
    assert_false(file_exists(busy));
    free(mark);
    free(busy);
}

static void what_is_not_ours_is_fetched_anew(void **state) {
    (void)state;
    assert_read(url, "first\n");
    overwrite(find("git/config"), "[core]\n\tbare = true\n[include]\n\tpath = /etc/passwd\n");
    assert_read(url, "first\n");
    char *config;
    size_t length;
    assert_int_equal(file_read(find("git/config"), 4096, &config, &length, NULL), STATUS_OK);
    assert_null(strstr(config, "include"));
    free(config);
    char *path = mem_printf("%s/objects/info/alternates", find("git"));
    assert_int_equal(file_write(path, "/tmp\n", 5, NULL), STATUS_OK);
    assert_read(url, "first\n");
    assert_false(file_exists(path));
    free(path);
    path = mem_printf("%s/objects/pack/link.pack", find("git"));
    assert_int_equal(symlink("/etc/passwd", path), 0);
    assert_read(url, "first\n");
    assert_false(file_exists(path));
    free(path);
    path = mem_strdup(find(""));
    path[strlen(path) - 1] = '\0';
    fixture_remove(path);
    assert_int_equal(file_write(path, "x", 1, NULL), STATUS_OK); /* a file in place of the entry */
    assert_read(url, "first\n");
    free(path);
}

/* The remote alone says what the head is: a cache that holds more does not matter. */
static void the_remote_is_believed(void **state) {
    (void)state;
    assert_read(url, "first\n");
    push("second\n", FIXTURE_TIME + 1, false);
    assert_read(url, "second\n");
    fixture_remove(remote);
    struct repo_request request = request_for(url);
    struct repo_snapshot snapshot;
    struct error error;
    assert_int_equal(repo_read(&request, &snapshot, &error), STATUS_INVALID);
    assert_int_equal(count("git/objects/pack/*.pack"), 2); /* kept for when it is back */
    fixture_repository(remote, true, &(struct fixture_file){"dot.cu", "first\n"}, 1);
    assert_true(assert_read(url, "first\n") & REPO_FLAG_REWRITTEN);
}

static void a_pinned_commit_is_kept_and_found(void **state) {
    (void)state;
    char pin[41];
    git_repository *repository;
    git_oid id;
    push("pinned\n", FIXTURE_TIME + 1, false);
    assert_git(git_repository_open(&repository, remote));
    assert_git(git_reference_name_to_id(&id, repository, "refs/heads/main"));
    git_oid_tostr(pin, sizeof pin, &id);
    git_oid tree = fixture_tree(repository, &(struct fixture_file){"dot.cu", "side\n"}, 1);
    git_oid side = fixture_commit_on(repository, "refs/heads/side", &tree, 5, NULL, 0);
    git_repository_free(repository);
    struct repo_snapshot snapshot;
    struct error error;
    assert_read(url, "pinned\n");
    push("forced\n", FIXTURE_TIME + 2, true); /* the remote's main does not reach it any more */
    struct repo_request request = request_for(url);
    want.pin = pin;
    assert_int_equal(repo_read(&request, &snapshot, &error), STATUS_OK);
    assert_string_equal(snapshot.files[0].data, "pinned\n");
    assert_int_equal(snapshot.files[0].flags,
                     REPO_FLAG_PINNED | REPO_FLAG_OFF_BRANCH | REPO_FLAG_REWRITTEN);
    repo_snapshot_free(&snapshot);
    /* a commit of another branch, also as the branch */
    git_oid_tostr(pin, sizeof pin, &side);
    assert_int_equal(repo_read(&request, &snapshot, &error), STATUS_OK);
    assert_string_equal(snapshot.files[0].data, "side\n");
    repo_snapshot_free(&snapshot);
    request.cache = NULL;
    request.branch = pin;
    want.pin = NULL;
    assert_int_equal(repo_read(&request, &snapshot, &error), STATUS_OK);
    assert_string_equal(snapshot.files[0].data, "side\n");
    repo_snapshot_free(&snapshot);
}

static void a_locked_entry_is_waited_for(void **state) {
    (void)state;
    assert_read(url, "first\n");
    int lock = open(find("lock"), O_RDWR | O_CLOEXEC);
    assert_int_equal(flock(lock, LOCK_EX), 0);
    struct repo_request request = request_for(url);
    struct repo_fetch *fetch;
    struct repo_snapshot snapshot;
    struct error error;
    request.time_limit_seconds = 0.1;
    assert_int_equal(repo_read(&request, &snapshot, &error), STATUS_INVALID);
    assert_non_null(strstr(error.message, "another program is reading this repository"));
    request.time_limit_seconds = 10;
    assert_int_equal(repo_fetch_start(&request, &fetch, &error), STATUS_OK);
    nanosleep(&(struct timespec){0, 30000000}, NULL);
    flock(lock, LOCK_UN);
    assert_int_equal(repo_fetch_finish(fetch, &snapshot, &error), STATUS_OK);
    repo_snapshot_free(&snapshot);
    close(lock);
}

static void a_cache_that_cannot_be_written_is_said(void **state) {
    (void)state;
    assert_int_equal(file_write(cache, "x", 1, NULL), STATUS_OK);
    struct repo_request request = request_for(url);
    struct repo_snapshot snapshot;
    struct error error;
    assert_int_equal(repo_read(&request, &snapshot, &error), STATUS_ENVIRONMENT);
    assert_non_null(strstr(error.message, "cache"));
}

/* kill -9 at any moment of a fetch: the next one works, and leaves nothing behind. */
static void a_killed_fetch_leaves_no_half_state(void **state) {
    (void)state;
    double begin = clock_ms();
    assert_read(url, "first\n");
    double whole_ms = clock_ms() - begin;
    char content[32];
    enum { MOMENTS = 24 };
    for (int i = 0; i < MOMENTS; i++) {
        snprintf(content, sizeof content, "version %d\n", i);
        push(content, FIXTURE_TIME + i, i % 8 == 7);
        pid_t program = fork();
        if (program == 0) {
            struct repo_request request = request_for(url);
            struct repo_snapshot snapshot;
            repo_read(&request, &snapshot, NULL);
            _exit(0);
        }
        nanosleep(&(struct timespec){0, (long)(whole_ms * 1e6 * 1.5 * i / MOMENTS)}, NULL);
        kill(program, SIGKILL);
        waitpid(program, NULL, 0);
        if (i % 3 == 2) /* else the next one finds what two killed ones left */
            assert_read(url, content);
    }
    assert_read(url, content);
    assert_int_equal(count("busy"), 0);
    assert_int_equal(count("git/objects/pack/*.pack.lock"), 0);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, make_remote, remove_remote)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(only_what_is_new_is_fetched),
        TEST(a_folder_is_read_where_it_is),
        TEST(a_rewritten_history_is_flagged),
        TEST(a_backdated_commit_is_flagged),
        TEST(what_is_broken_is_fetched_anew),
        TEST(an_entry_that_was_left_busy_is_fetched_anew),
        TEST(what_is_not_ours_is_fetched_anew),
        TEST(the_remote_is_believed),
        TEST(a_pinned_commit_is_kept_and_found),
        TEST(a_locked_entry_is_waited_for),
        TEST(a_cache_that_cannot_be_written_is_said),
        TEST(a_killed_fetch_leaves_no_half_state),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
