/* What a repository changed against a base: every shape of history that CI systems check out, and
 * what a stranger may have put into one. */
#include "tests/support/git_fixture.h"

#include "grader/repo/change.h"
#include "grader/repo/repo_private.h"

#define RULES ".warpgrade/ci.yaml"

static char *folder;
static git_repository *repository;
static int64_t clock_now;

static int make(void **state) {
    (void)state;
    folder = fixture_folder();
    repository = fixture_init(folder, false);
    clock_now = FIXTURE_TIME;
    return 0;
}

static int unmake(void **state) {
    (void)state;
    git_repository_free(repository);
    fixture_remove(folder);
    free(folder);
    return 0;
}

#define COMMIT(reference, parent, ...)                                                             \
    commit(reference, parent, (struct fixture_file[]){__VA_ARGS__},                                \
           sizeof((struct fixture_file[]){__VA_ARGS__}) / sizeof(struct fixture_file))

static git_oid commit(const char *reference, const git_oid *parent,
                      const struct fixture_file *files, size_t count) {
    git_oid tree = fixture_tree(repository, files, count);
    return fixture_commit_on(repository, reference, &tree, clock_now++, parent, parent ? 1 : 0);
}

static struct repo_changes changes;
static struct error error;

static enum status ask(const struct repo_base *bases, size_t count) {
    const struct repo_change_request request = {.location = folder,
                                                .bases = bases,
                                                .base_count = count,
                                                .ending = ".cu",
                                                .rules = RULES,
                                                .time_limit_seconds = 10};
    error = (struct error){0};
    return repo_changes_read(&request, &changes, &error);
}

static void read_against(struct repo_base base) {
    if (ask(&base, 1) != STATUS_OK)
        fail_msg("%s (%s)", error.message, error.hint);
}

static struct repo_base named(const char *name) {
    return (struct repo_base){.kind = REPO_BASE_NAME, .name = name};
}

static const struct repo_change *find(const char *path) {
    for (size_t i = 0; i < changes.change_count; i++)
        if (strcmp(changes.changes[i].file.path, path) == 0)
            return &changes.changes[i];
    fail_msg("no %s", path);
    return NULL;
}

static void assert_kind(const char *path, enum repo_change_kind kind) {
    assert_int_equal(find(path)->kind, kind);
}

static void each_kind_of_change(void **state) {
    (void)state;
    git_oid base = COMMIT("refs/heads/main", NULL, {"a/same.cu", "1"}, {"b/other.cu", "2"},
                          {"gone.cu", "3"}, {"old/moved.cu", "4"}, {"notes.txt", "5"});
    COMMIT("refs/heads/work", &base, {"a/same.cu", "1"}, {"b/other.cu", "two"},
           {"deep/er/new.cu", "6"}, {"new/moved.cu", "4"}, {"notes.txt", "changed"});
    assert_git(git_repository_set_head(repository, "refs/heads/work"));
    read_against(named("main"));
    assert_int_equal(changes.change_count, 5);
    assert_kind("a/same.cu", REPO_CHANGE_NONE);
    assert_kind("b/other.cu", REPO_CHANGE_MODIFIED);
    assert_string_equal(find("b/other.cu")->file.data, "two");
    assert_kind("deep/er/new.cu", REPO_CHANGE_ADDED);
    assert_kind("gone.cu", REPO_CHANGE_DELETED);
    assert_int_equal(find("gone.cu")->file.state, REPO_FILE_MISSING);
    assert_kind("new/moved.cu", REPO_CHANGE_RENAMED);
    assert_string_equal(find("new/moved.cu")->was, "old/moved.cu");
    repo_changes_free(&changes);
}

/* What the base did since is no change of the head's, and its newest rules hold. */
static void the_base_may_have_moved_on(void **state) {
    (void)state;
    git_oid fork = COMMIT("refs/heads/main", NULL, {RULES, "old"}, {"a.cu", "1"}, {"b.cu", "1"});
    COMMIT("refs/heads/work", &fork, {RULES, "mine"}, {"a.cu", "2"}, {"b.cu", "1"});
    COMMIT("refs/remotes/origin/main", &fork, {RULES, "new"}, {"a.cu", "1"}, {"b.cu", "3"});
    assert_git(git_repository_set_head(repository, "refs/heads/work"));
    read_against((struct repo_base){.kind = REPO_BASE_BRANCH, .name = "main"});
    assert_kind("a.cu", REPO_CHANGE_MODIFIED);
    assert_kind("b.cu", REPO_CHANGE_NONE);
    assert_string_equal(changes.rules.data, "new");
    assert_true(changes.rules_changed);
    assert_string_not_equal(changes.base.id, changes.fork.id);
    repo_changes_free(&changes);
}

static void a_merge_commit_brings_what_its_branch_did(void **state) {
    (void)state;
    git_oid base = COMMIT("refs/heads/main", NULL, {"a.cu", "1"}, {"b.cu", "1"});
    git_oid work = COMMIT(NULL, &base, {"a.cu", "2"}, {"b.cu", "1"});
    git_oid main = COMMIT("refs/heads/main", &base, {"a.cu", "1"}, {"b.cu", "3"});
    git_oid tree =
        fixture_tree(repository, (struct fixture_file[]){{"a.cu", "2"}, {"b.cu", "3"}}, 2);
    git_oid merge =
        fixture_commit_on(repository, NULL, &tree, clock_now, (git_oid[]){main, work}, 2);
    assert_git(git_repository_set_head_detached(repository, &merge)); /* as checkouts of CI are */
    read_against((struct repo_base){.kind = REPO_BASE_BRANCH, .name = "main"});
    assert_kind("a.cu", REPO_CHANGE_MODIFIED);
    assert_kind("b.cu", REPO_CHANGE_NONE);
    assert_string_equal(changes.fork.id, changes.base.id);
    repo_changes_free(&changes);
}

static void a_forced_push_is_compared_with_what_it_replaced(void **state) {
    (void)state;
    char id[65];
    git_oid first = COMMIT("refs/heads/main", NULL, {"a.cu", "1"}, {"b.cu", "1"});
    git_oid before = COMMIT(NULL, &first, {"a.cu", "2"}, {"b.cu", "1"});
    COMMIT("refs/heads/main", &first, {"a.cu", "1"}, {"b.cu", "2"});
    git_oid_tostr(id, sizeof id, &before);
    read_against((struct repo_base){.kind = REPO_BASE_ID, .name = id, .optional = true});
    assert_kind("a.cu", REPO_CHANGE_NONE);
    assert_kind("b.cu", REPO_CHANGE_MODIFIED);
    repo_changes_free(&changes);
}

static void an_unrelated_base_is_compared_with_itself(void **state) {
    (void)state;
    COMMIT("refs/heads/other", NULL, {"a.cu", "1"});
    COMMIT("refs/heads/main", NULL, {"a.cu", "1"}, {"b.cu", "1"});
    read_against(named("other"));
    assert_true(changes.is_unrelated);
    assert_kind("a.cu", REPO_CHANGE_NONE);
    assert_kind("b.cu", REPO_CHANGE_ADDED);
    repo_changes_free(&changes);
}

static void without_a_base_all_is_new(void **state) {
    (void)state;
    COMMIT("refs/heads/main", NULL, {RULES, "own"}, {"a.cu", "1"});
    /* The default branch itself has nothing to be compared with. */
    const struct repo_base bases[] = {
        {.kind = REPO_BASE_ID,
         .name = "1234567890123456789012345678901234567890",
         .optional = true},
        {.kind = REPO_BASE_BRANCH, .name = "main", .optional = true, .is_parent = true}};
    assert_int_equal(ask(bases, 2), STATUS_OK);
    assert_int_equal(changes.base_index, 2);
    assert_string_equal(changes.base.id, "");
    assert_kind("a.cu", REPO_CHANGE_ADDED);
    assert_string_equal(changes.rules.data, "own");
    assert_false(changes.rules_changed);
    repo_changes_free(&changes);
    assert_int_equal(ask(NULL, 0), STATUS_OK);
    assert_kind("a.cu", REPO_CHANGE_ADDED);
    repo_changes_free(&changes);
}

static void make_shallow(const git_oid *id) {
    char hex[65];
    char *path = mem_printf("%s/.git/shallow", folder);
    git_oid_tostr(hex, sizeof hex, id);
    char *line = mem_printf("%s\n", hex);
    assert_int_equal(file_write(path, line, strlen(line), NULL), STATUS_OK);
    free(line);
    free(path);
}

static void a_shallow_clone_without_its_base_says_so(void **state) {
    (void)state;
    git_oid head = COMMIT("refs/heads/main", NULL, {"a.cu", "1"});
    struct repo_base gone = {.kind = REPO_BASE_BRANCH, .name = "target"};
    assert_int_equal(ask(&gone, 1), STATUS_ENVIRONMENT);
    assert_non_null(strstr(error.hint, "git fetch origin target"));
    gone = named("target");
    assert_int_equal(ask(&gone, 1), STATUS_INVALID);
    make_shallow(&head);
    gone = (struct repo_base){
        .kind = REPO_BASE_ID, .name = "1234567890123456789012345678901234567890", .optional = true};
    assert_int_equal(ask(&gone, 1), STATUS_ENVIRONMENT);
    assert_non_null(strstr(error.message, "shallow"));
    assert_non_null(strstr(error.hint, "fetch-depth: 0"));
    gone.is_guess = true;
    assert_int_equal(ask(&gone, 1), STATUS_OK);
    assert_true(changes.is_shallow);
    repo_changes_free(&changes);
}

/* Any push can bring a tag. */
static void a_tag_does_not_stand_for_a_branch(void **state) {
    (void)state;
    git_oid base = COMMIT("refs/remotes/origin/main", NULL, {RULES, "strict"}, {"a.cu", "1"});
    COMMIT("refs/heads/work", &base, {RULES, "lax"}, {"a.cu", "2"});
    COMMIT("refs/tags/origin/main", &base, {RULES, "lax"}, {"a.cu", "2"});
    COMMIT("refs/tags/main", &base, {RULES, "lax"}, {"a.cu", "2"});
    assert_git(git_repository_set_head(repository, "refs/heads/work"));
    const struct repo_base bases[] = {named("origin/main"),
                                      named("main"),
                                      named("HEAD~1"),
                                      {.kind = REPO_BASE_BRANCH, .name = "main"}};
    for (size_t i = 0; i < 4; i++) {
        read_against(bases[i]);
        assert_string_equal(changes.rules.data, "strict");
        repo_changes_free(&changes);
    }
    const char *const wrong[] = {"HEAD~9", "HEAD~99999999999999999999", ":/x", "@{1}", "~",
                                 "HEAD^x"};
    for (size_t i = 0; i < 6; i++) {
        struct repo_base base_typed = named(wrong[i]);
        assert_int_equal(ask(&base_typed, 1), STATUS_INVALID);
    }
}

static void what_is_no_file_is_refused(void **state) {
    (void)state;
    static char large[REPO_MAX_FILE_BYTES + 1];
    memset(large, 'x', sizeof large);
    COMMIT("refs/heads/main", NULL, {RULES, "/etc/passwd", GIT_FILEMODE_LINK},
           {"large.cu", large, 0, sizeof large},
           {"lfs.cu", "version https://git-lfs.github.com/spec/v1\n"},
           {"link.cu", "/etc/passwd", GIT_FILEMODE_LINK}, {"module.cu", NULL, GIT_FILEMODE_COMMIT},
           {"vendor/module", NULL, GIT_FILEMODE_COMMIT}, {"odd\n\x1b[2J\xff.cu", "1"}, {".cu", "1"},
           {"folder.cu/a.txt", "1"});
    assert_int_equal(ask(NULL, 0), STATUS_OK);
    assert_int_equal(changes.rules.state, REPO_FILE_REFUSED);
    assert_int_equal(changes.change_count, 5);
    assert_int_equal(find("link.cu")->file.state, REPO_FILE_REFUSED);
    assert_non_null(strstr(find("link.cu")->file.message, "symbolic link"));
    assert_non_null(strstr(find("module.cu")->file.message, "submodule"));
    assert_non_null(strstr(find("large.cu")->file.message, "too large"));
    assert_non_null(strstr(find("lfs.cu")->file.message, "LFS"));
    assert_int_equal(find("odd\n\x1b[2J\xff.cu")->file.state, REPO_FILE_FOUND);
    assert_int_equal(changes.left_out, 1);
    repo_changes_free(&changes);
}

static void deep_folders_are_counted_and_left_out(void **state) {
    (void)state;
    struct text path = {0};
    for (unsigned i = 0; i < REPO_MAX_TREE_DEPTH + 2; i++)
        text_append(&path, "d/");
    text_append(&path, "a.cu");
    COMMIT("refs/heads/main", NULL, {text_string(&path), "1"}, {"a.cu", "1"});
    assert_int_equal(ask(NULL, 0), STATUS_OK);
    assert_int_equal(changes.change_count, 1);
    assert_int_equal(changes.left_out, 1);
    repo_changes_free(&changes);
    text_free(&path);
}

static void too_many_files_are_an_error(void **state) {
    (void)state;
    static struct fixture_file files[REPO_MAX_CHANGES + 1];
    static char names[REPO_MAX_CHANGES + 1][16];
    for (size_t i = 0; i < REPO_MAX_CHANGES + 1; i++) {
        snprintf(names[i], sizeof names[i], "%zu.cu", i);
        files[i] = (struct fixture_file){.path = names[i], .content = "1"};
    }
    commit("refs/heads/main", NULL, files, REPO_MAX_CHANGES + 1);
    assert_int_equal(ask(NULL, 0), STATUS_INVALID);
    assert_non_null(strstr(error.message, "more than 10000 files"));
}

/* The record is a stranger's: cut anywhere, or with any byte changed, it is refused or harmless. */
static void a_record_is_decoded_as_hostile(void **state) {
    (void)state;
    struct repo_change rows[] = {{REPO_CHANGE_RENAMED,
                                  (char[]){"b.cu"},
                                  {.state = REPO_FILE_FOUND,
                                   .path = (char[]){"a.cu"},
                                   .data = (char[]){"text"},
                                   .length = 4}}};
    struct repo_changes sent = {.head.id = "12",
                                .base_index = 1,
                                .rules.path = (char[]){RULES},
                                .changes = rows,
                                .change_count = 1};
    struct text record = {0};
    repo_record_encode_changes(STATUS_OK, &error, &sent, &record);
    enum status status;
    assert_true(
        repo_record_decode_changes(record.data, record.length, 1, &status, &changes, &error));
    assert_string_equal(changes.changes[0].was, "b.cu");
    repo_changes_free(&changes);
    assert_false(
        repo_record_decode_changes(record.data, record.length, 0, &status, &changes, &error));
    repo_changes_free(&changes);
    for (size_t length = 0; length < record.length; length++) {
        char *cut = mem_alloc(length + 1); /* so that a sanitizer sees a byte too many */
        memcpy(cut, record.data, length);
        assert_false(repo_record_decode_changes(cut, length, 1, &status, &changes, &error));
        repo_changes_free(&changes);
        free(cut);
    }
    for (size_t i = 8; i < record.length; i++) {
        record.data[i] ^= (char)0x81;
        repo_record_decode_changes(record.data, record.length, 1, &status, &changes, &error);
        repo_changes_free(&changes);
        record.data[i] ^= (char)0x81;
    }
    text_free(&record);
}

static void set_config(const char *name, const char *value) {
    git_config *config;
    assert_git(git_repository_config(&config, repository));
    assert_git(git_config_set_string(config, name, value));
    git_config_free(config);
}

/* As `git clone --sparse` leaves it. */
static void a_configuration_of_the_work_tree_is_no_obstacle(void **state) {
    (void)state;
#ifndef WARPGRADE_HAVE_GIT_EXTENSIONS
    skip(); /* this libgit2 cannot be told */
#endif
    COMMIT("refs/heads/main", NULL, {"a.cu", "1"});
    set_config("core.repositoryformatversion", "1");
    set_config("extensions.worktreeConfig", "true");
    assert_int_equal(ask(NULL, 0), STATUS_OK);
    repo_changes_free(&changes);
}

/* `git clone --filter=blob:none`: what is missing is the clone's fault. */
static void a_partial_clone_that_lacks_a_file_says_so(void **state) {
    (void)state;
    git_odb *odb;
    git_oid blob;
    char id[65];
    COMMIT("refs/heads/main", NULL, {RULES, "{}"}, {"a.cu", "1"});
    assert_git(git_repository_odb(&odb, repository));
    assert_git(git_odb_hash(&blob, "1", 1, GIT_OBJECT_BLOB));
    git_oid_tostr(id, sizeof id, &blob);
    char *path = mem_printf("%s/.git/objects/%.2s/%s", folder, id, id + 2);
    assert_int_equal(unlink(path), 0);
    set_config("remote.origin.promisor", "true");
    assert_int_equal(ask(NULL, 0), STATUS_ENVIRONMENT);
    assert_string_equal(error.message, "this is a partial clone: a.cu is not in it");
    free(path);
    git_odb_free(odb);
}

static void no_repository_and_no_commit(void **state) {
    (void)state;
    assert_int_equal(ask(NULL, 0), STATUS_INVALID);
    assert_non_null(strstr(error.message, "no commit yet"));
    char *git = mem_printf("%s/.git", folder);
    fixture_remove(git);
    free(git);
    assert_int_equal(ask(NULL, 0), STATUS_INVALID);
    assert_non_null(strstr(error.message, "not a git repository"));
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, make, unmake)
    const struct CMUnitTest tests[] = {
        TEST(each_kind_of_change),
        TEST(the_base_may_have_moved_on),
        TEST(a_merge_commit_brings_what_its_branch_did),
        TEST(a_forced_push_is_compared_with_what_it_replaced),
        TEST(an_unrelated_base_is_compared_with_itself),
        TEST(without_a_base_all_is_new),
        TEST(a_shallow_clone_without_its_base_says_so),
        TEST(a_tag_does_not_stand_for_a_branch),
        TEST(what_is_no_file_is_refused),
        TEST(deep_folders_are_counted_and_left_out),
        TEST(too_many_files_are_an_error),
        TEST(a_record_is_decoded_as_hostile),
        TEST(a_configuration_of_the_work_tree_is_no_obstacle),
        TEST(a_partial_clone_that_lacks_a_file_says_so),
        TEST(no_repository_and_no_commit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
