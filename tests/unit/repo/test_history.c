/* Which commit counts under a limit, and what is noted about it. */
#include "tests/support/git_fixture.h"

#include "grader/repo/repo.h"

#include <time.h>

static char *folder;
static git_repository *repository;

static int make_repository(void **state) {
    (void)state;
    folder = fixture_folder();
    repository = fixture_init(folder, true);
    return 0;
}

static int remove_repository(void **state) {
    (void)state;
    git_repository_free(repository);
    fixture_remove(folder);
    free(folder);
    return 0;
}

/* A commit on `main` in which dot.cu says `content` (NULL: there is another file only). */
static git_oid commit_on(const char *content, int64_t when, const git_oid *parents, size_t count) {
    git_oid tree = fixture_tree(
        repository, &(struct fixture_file){content ? "dot.cu" : "README", content ? content : "x"},
        1);
    return fixture_commit_on(repository, "refs/heads/main", &tree, when, parents, count);
}

static git_oid commit(const char *content, int64_t when, const git_oid *parent) {
    return commit_on(content, when, parent, parent ? 1 : 0);
}

static struct repo_snapshot snapshot; /* of the last read */

static const struct repo_file *read_with(const char *branch, int64_t not_after, const char *pin) {
    const struct repo_want want = {
        .candidates = {"dot.cu"}, .candidate_count = 1, .not_after = not_after, .pin = pin};
    const struct repo_request request = {
        .location = folder, .branch = branch, .wants = &want, .want_count = 1};
    struct error error;
    repo_snapshot_free(&snapshot);
    if (repo_read(&request, &snapshot, &error) != STATUS_OK)
        fail_msg("%s (%s)", error.message, error.hint);
    return &snapshot.files[0];
}

static const struct repo_file *read_before(int64_t not_after) {
    return read_with(NULL, not_after, NULL);
}

static void assert_counts(const struct repo_file *file, const git_oid *id, const char *content) {
    char hex[41];
    if (file->state != REPO_FILE_FOUND)
        fail_msg("%s (%s)", file->message, file->hint);
    assert_string_equal(file->commit.id, git_oid_tostr(hex, sizeof hex, id));
    assert_string_equal(file->data, content);
}

static void the_newest_commit_up_to_the_limit_counts(void **state) {
    (void)state;
    git_oid a = commit("a", 100, NULL), b = commit("b", 200, &a), c = commit("c", 300, &b);
    assert_counts(read_before(199), &a, "a");
    assert_int_equal(snapshot.files[0].flags, REPO_FLAG_LATER);
    assert_int_equal(snapshot.files[0].later_at, 300);
    assert_counts(read_before(200), &b, "b"); /* the limit's own second counts */
    assert_int_equal(snapshot.files[0].commit.committed_at, 200);
    assert_int_equal(snapshot.files[0].commit.authored_at, 200);
    assert_counts(read_before(300), &c, "c");
    assert_int_equal(snapshot.files[0].flags, 0);
    assert_counts(read_before(INT64_MAX), &c, "c");
    assert_int_equal(snapshot.head.committed_at, 300);
    assert_true(llabs(snapshot.fetched_at - time(NULL)) < 60);
}

static void each_file_has_its_own_limit(void **state) {
    (void)state;
    git_oid a = commit("a", 100, NULL), b = commit("b", 200, &a);
    char pin[41];
    git_oid_tostr(pin, sizeof pin, &a);
    const struct repo_want wants[] = {{{"dot.cu"}, 1, 150, NULL},
                                      {{"dot.cu"}, 1, 250, NULL},
                                      {{"dot.cu"}, 1, 50, NULL},
                                      {{"dot.cu"}, 1, 250, pin}};
    const struct repo_request request = {.location = folder, .wants = wants, .want_count = 4};
    repo_snapshot_free(&snapshot);
    assert_int_equal(repo_read(&request, &snapshot, NULL), STATUS_OK);
    assert_counts(&snapshot.files[0], &a, "a");
    assert_counts(&snapshot.files[1], &b, "b");
    assert_int_equal(snapshot.files[2].state, REPO_FILE_LATE);
    assert_counts(&snapshot.files[3], &a, "a");
}

static void a_descendant_wins_against_its_ancestor(void **state) {
    (void)state;
    git_oid a = commit("a", 100, NULL), b = commit("b", 100, &a); /* the same second */
    assert_counts(read_before(100), &b, "b");
    /* Two clocks that differ: the last commit is dated before the one it is built on. */
    git_oid c = commit("c", 90, &b);
    assert_counts(read_before(100), &c, "c");
    assert_int_equal(snapshot.files[0].flags, REPO_FLAG_BACKWARDS);
    /* Two ways lead back from a merge: one to `a` directly, one to its descendant. */
    git_oid late = commit("late", 500, &a);
    git_oid both[] = {late, c};
    commit_on("merge", 600, both, 2);
    assert_counts(read_before(100), &c, "c");
}

static void of_two_branches_the_newer_counts(void **state) {
    (void)state;
    git_oid base = commit("base", 100, NULL);
    git_oid left = commit("left", 200, &base), right = commit("right", 210, &base);
    git_oid both[] = {left, right};
    git_oid merge = commit_on("merge", 300, both, 2);
    assert_counts(read_before(300), &merge, "merge");
    assert_counts(read_before(299), &right, "right");
    assert_counts(read_before(205), &left, "left");
    assert_counts(read_before(199), &base, "base");
    git_oid same = commit("same", 210, &base);
    git_oid equal[] = {same, right};
    commit_on("merge", 300, equal, 2);
    assert_counts(read_before(299), &same, "same"); /* the first parent's side */
}

static void what_is_dated_before_its_ancestors_is_flagged(void **state) {
    (void)state;
    git_oid a = commit("a", 100, NULL), late = commit("late", 500, &a);
    git_oid forged = commit("forged", 150, &late);
    assert_counts(read_before(200), &forged, "forged");
    assert_int_equal(snapshot.files[0].flags, REPO_FLAG_BACKWARDS);
    git_oid again = commit("again", 160, &forged); /* a second one does not hide it */
    assert_counts(read_before(200), &again, "again");
    assert_int_equal(snapshot.files[0].flags, REPO_FLAG_BACKWARDS);
}

static void what_is_dated_in_the_future_is_flagged(void **state) {
    (void)state;
    git_oid a = commit("a", time(NULL) + 86400, NULL);
    assert_counts(read_before(INT64_MAX), &a, "a");
    assert_int_equal(snapshot.files[0].flags, REPO_FLAG_FUTURE);
}

static void what_came_after_the_limit_is_late_and_not_missing(void **state) {
    (void)state;
    git_oid a = commit(NULL, 100, NULL);
    const struct repo_file *file = read_before(50);
    assert_int_equal(file->state, REPO_FILE_LATE);
    assert_int_equal(file->late_at, 100);
    assert_string_equal(file->commit.id, "");
    assert_non_null(strstr(file->message, "no commit of main is dated 1970-01-01 00:00:50 UTC or "
                                          "before; the first is of 1970-01-01 00:01:40 UTC"));
    assert_int_equal(read_before(200)->state, REPO_FILE_MISSING);
    git_oid b = commit("b", 300, &a);
    commit("c", 400, &b);
    file = read_before(200);
    assert_int_equal(file->state, REPO_FILE_LATE);
    assert_int_equal(file->late_at, 300);
    assert_int_equal(file->later_at, 400);
    assert_string_equal(file->path, "dot.cu");
    assert_non_null(strstr(file->message, "dot.cu is in main only since 1970-01-01 00:05:00 UTC, "
                                          "after the limit of 1970-01-01 00:03:20 UTC"));
    assert_int_equal(read_before(50)->late_at, 300); /* the first one with the file */
}

static void tells_which_commit_changed_the_file(void **state) {
    (void)state;
    git_oid a = commit("first", 100, NULL), b = commit("mine", 200, &a);
    git_oid c = commit("mine", 300, &b), d = commit("mine", 400, &c);
    assert_counts(read_before(INT64_MAX), &d, "mine");
    assert_int_equal(snapshot.files[0].changed.committed_at, 200);
    git_oid side = commit("mine", 250, &a);
    git_oid both[] = {a, side};
    commit_on("mine", 500, both, 2);
    assert_int_equal(read_before(INT64_MAX)->changed.committed_at, 250);
}

static void a_pinned_commit_is_taken(void **state) {
    (void)state;
    char hex[41];
    git_oid a = commit("a", 100, NULL), b = commit("b", 200, &a);
    git_oid off = commit("off", 300, &a);
    commit("c", 400, &b);
    git_oid_tostr(hex, sizeof hex, &a);
    assert_counts(read_with(NULL, 350, hex), &a, "a");
    assert_int_equal(snapshot.files[0].flags, REPO_FLAG_PINNED);
    hex[7] = '\0';
    assert_counts(read_with(NULL, 50, hex), &a, "a");
    git_oid_tostr(hex, sizeof hex, &off);
    assert_counts(read_with(NULL, 350, hex), &off, "off");
    assert_int_equal(snapshot.files[0].flags, REPO_FLAG_PINNED | REPO_FLAG_OFF_BRANCH);
    const struct repo_file *file = read_with(NULL, 350, "1234567");
    assert_int_equal(file->state, REPO_FILE_REFUSED);
    assert_non_null(strstr(file->message, "has no commit 1234567"));
    file = read_with(NULL, 350, "abc");
    assert_non_null(strstr(file->message, "abc is no commit's id"));
}

static void a_tag_or_a_commit_stands_for_a_branch(void **state) {
    (void)state;
    git_oid a = commit("a", 100, NULL), b = commit("b", 200, &a);
    commit("c", 300, &b);
    git_object *object;
    git_signature *signature;
    git_oid tag;
    assert_git(git_object_lookup(&object, repository, &b, GIT_OBJECT_COMMIT));
    assert_git(git_signature_new(&signature, "Ada", "a@b", 250, 0));
    assert_git(git_tag_create(&tag, repository, "final", object, signature, "done", 0));
    assert_git(git_tag_create_lightweight(&tag, repository, "light", object, 0));
    git_signature_free(signature);
    git_object_free(object);
    assert_counts(read_with("final", INT64_MAX, NULL), &b, "b");
    assert_string_equal(snapshot.branch, "final");
    assert_counts(read_with("light", INT64_MAX, NULL), &b, "b");
    assert_counts(read_with("final", 150, NULL), &a, "a");
    char hex[41];
    git_oid_tostr(hex, sizeof hex, &a);
    assert_counts(read_with(hex, INT64_MAX, NULL), &a, "a");
    hex[10] = '\0';
    assert_counts(read_with(hex, INT64_MAX, NULL), &a, "a");
    assert_string_equal(snapshot.branch, hex);
}

/* A shallow clone: the commit below the cut is named as a parent and is not there. */
static void a_cut_history_is_said(void **state) {
    (void)state;
    char hex[41];
    git_oid a = commit("a", 100, NULL), b = commit("b", 200, &a), c = commit("c", 300, &b);
    git_oid_tostr(hex, sizeof hex, &a);
    char *path = mem_printf("%s/objects/%.2s/%s", folder, hex, hex + 2);
    assert_int_equal(unlink(path), 0);
    free(path);
    path = mem_printf("%s/shallow", folder);
    char *line = mem_printf("%s\n", git_oid_tostr(hex, sizeof hex, &b));
    assert_int_equal(file_write(path, line, strlen(line), NULL), STATUS_OK);
    free(line);
    free(path);
    assert_counts(read_before(INT64_MAX), &c, "c");
    assert_int_equal(snapshot.files[0].flags, REPO_FLAG_SHALLOW);
    assert_counts(read_before(250), &b, "b");
    const struct repo_file *file = read_before(150);
    assert_int_equal(file->state, REPO_FILE_REFUSED);
    assert_non_null(strstr(file->message, "which commit counts cannot be told"));
    assert_non_null(strstr(file->hint, "git fetch --unshallow"));
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, make_repository, remove_repository)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(the_newest_commit_up_to_the_limit_counts),
        TEST(each_file_has_its_own_limit),
        TEST(a_descendant_wins_against_its_ancestor),
        TEST(of_two_branches_the_newer_counts),
        TEST(what_is_dated_before_its_ancestors_is_flagged),
        TEST(what_is_dated_in_the_future_is_flagged),
        TEST(what_came_after_the_limit_is_late_and_not_missing),
        TEST(tells_which_commit_changed_the_file),
        TEST(a_pinned_commit_is_taken),
        TEST(a_tag_or_a_commit_stands_for_a_branch),
        TEST(a_cut_history_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
