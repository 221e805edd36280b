/* Reading submissions out of repositories: the good ones, the broken ones and the hostile ones. */
#include "tests/support/git_fixture.h"

#include "grader/repo/repo.h"
#include "sandbox/base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>

static char *folder; /* of the running test */

static int make_folder(void **state) {
    (void)state;
    folder = fixture_folder();
    return 0;
}

static int remove_folder(void **state) {
    (void)state;
    fixture_remove(folder);
    free(folder);
    return 0;
}

static const char *in_folder(const char *name) {
    static char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

struct outcome {
    enum status status;
    struct error error;
    struct repo_snapshot snapshot;
    struct repo_file *file; /* the only one asked for */
};

static struct outcome read_from(const char *location, const char *branch, const char *path) {
    static struct repo_want want;
    want = (struct repo_want){.candidates = {path}, .candidate_count = 1, .not_after = INT64_MAX};
    struct repo_request request = {.location = location,
                                   .branch = branch,
                                   .wants = &want,
                                   .want_count = 1,
                                   .time_limit_seconds = 10};
    struct outcome outcome = {0};
    outcome.status = repo_read(&request, &outcome.snapshot, &outcome.error);
    outcome.file = outcome.snapshot.files;
    return outcome;
}

static void assert_found(const char *location, const char *branch, const char *path,
                         const char *content) {
    struct outcome got = read_from(location, branch, path);
    if (got.status != STATUS_OK)
        fail_msg("%s: %s", location, got.error.message);
    if (got.file->state != REPO_FILE_FOUND)
        fail_msg("%s: %s", location, got.file->message);
    assert_string_equal(got.file->path, path);
    assert_string_equal(got.file->data, content);
    assert_int_equal(got.file->length, strlen(content));
    assert_int_equal(strlen(got.snapshot.head.id), 40);
    assert_int_equal(got.snapshot.head.committed_at, FIXTURE_TIME);
    repo_snapshot_free(&got.snapshot);
}

static void assert_file(const char *location, const char *path, enum repo_file_state state,
                        const char *message, const char *hint) {
    struct outcome got = read_from(location, NULL, path);
    if (got.status != STATUS_OK)
        fail_msg("%s: %s", location, got.error.message);
    assert_int_equal(got.file->state, state);
    assert_null(got.file->length ? got.file->data : NULL);
    if (!strstr(got.file->message, message) || !strstr(got.file->hint, hint))
        fail_msg("got \"%s\" and \"%s\"", got.file->message, got.file->hint);
    repo_snapshot_free(&got.snapshot);
}

static void assert_broken(const char *location, const char *branch, const char *message,
                          const char *hint) {
    struct outcome got = read_from(location, branch, "dot.cu");
    if (got.status != STATUS_INVALID || !strstr(got.error.message, message) ||
        !strstr(got.error.hint, hint))
        fail_msg("%s: status %d \"%s\" and \"%s\"", location, got.status, got.error.message,
                 got.error.hint);
    repo_snapshot_free(&got.snapshot);
}

/* ---- what is fine ------------------------------------------------------------------------- */

static const struct fixture_file simple[] = {
    {"dot.cu", "__global__ void dot() {}\n"},
    {"src/deep/saxpy.cu", "saxpy\n", GIT_FILEMODE_BLOB_EXECUTABLE},
};

static void reads_bare_worktree_and_dotgit(void **state) {
    (void)state;
    fixture_repository(in_folder("bare"), true, simple, 2);
    assert_found(in_folder("bare"), NULL, "dot.cu", simple[0].content);
    fixture_repository(in_folder("work"), false, simple, 2);
    assert_found(in_folder("work"), NULL, "dot.cu", simple[0].content);
    assert_found(in_folder("work"), "main", "src/deep/saxpy.cu", "saxpy\n");
    assert_found(in_folder("work/.git"), NULL, "dot.cu", simple[0].content);
}

static void reads_file_urls_by_fetching(void **state) {
    (void)state;
    fixture_repository(in_folder("a b"), true, simple, 2);
    char *url = mem_printf("file://%s", in_folder("a%20b"));
    assert_found(url, NULL, "dot.cu", simple[0].content);
    assert_found(url, "main", "dot.cu", simple[0].content);
    struct outcome got = read_from(url, NULL, "dot.cu");
    assert_string_equal(got.snapshot.branch, "main");
    repo_snapshot_free(&got.snapshot);
    assert_broken(url, "week-1", "no branch week-1", "main");
    free(url);
}

static void reads_other_branch(void **state) {
    (void)state;
    fixture_repository(in_folder("r"), true, simple, 2);
    git_repository *repository;
    assert_git(git_repository_open(&repository, in_folder("r")));
    git_oid tree = fixture_tree(repository, &(struct fixture_file){"dot.cu", "week 2\n"}, 1);
    fixture_commit(repository, "refs/heads/week/2", &tree);
    git_repository_free(repository);
    assert_found(in_folder("r"), "week/2", "dot.cu", "week 2\n");
    assert_found(in_folder("r"), NULL, "dot.cu", simple[0].content);
    assert_broken(in_folder("r"), "week2", "no branch week2", "main, week/2");
    assert_broken(in_folder("r"), "a..b", "no branch a..b", "");
}

static void reads_detached_head(void **state) {
    (void)state;
    git_repository *repository = fixture_init(in_folder("r"), true);
    git_oid tree = fixture_tree(repository, simple, 2);
    git_oid commit = fixture_commit(repository, NULL, &tree);
    assert_git(git_repository_set_head_detached(repository, &commit));
    git_repository_free(repository);
    assert_found(in_folder("r"), NULL, "dot.cu", simple[0].content);
}

static void takes_first_candidate(void **state) {
    (void)state;
    const struct fixture_file files[] = {{"dot/dot.cu", "inner\n"}};
    fixture_repository(in_folder("r"), true, files, 1);
    struct repo_want wants[] = {{{"dot.cu", "dot/dot.cu"}, 2, INT64_MAX},
                                {{"dot/dot.cu/x.cu"}, 1, INT64_MAX},
                                {{"dot/other.cu"}, 1, INT64_MAX}};
    struct repo_request request = {.location = in_folder("r"), .wants = wants, .want_count = 3};
    struct repo_snapshot snapshot;
    struct error error;
    assert_int_equal(repo_read(&request, &snapshot, &error), STATUS_OK);
    assert_string_equal(snapshot.files[0].path, "dot/dot.cu");
    assert_string_equal(snapshot.files[0].data, "inner\n");
    assert_int_equal(snapshot.files[1].state, REPO_FILE_MISSING);
    assert_int_equal(snapshot.files[2].state, REPO_FILE_MISSING);
    repo_snapshot_free(&snapshot);
}

static void reads_repository_of_another_user(void **state) {
    (void)state;
    if (geteuid() != 0)
        skip();
    fixture_repository(in_folder("r"), false, simple, 2);
    char *roots[] = {(char *)(uintptr_t)in_folder("r"), NULL};
    FTS *walk = fts_open(roots, FTS_PHYSICAL, NULL);
    for (FTSENT *entry; (entry = fts_read(walk));)
        assert_int_equal(lchown(entry->fts_accpath, 12345, 12345), 0);
    fts_close(walk);
    assert_found(in_folder("r"), NULL, "dot.cu", simple[0].content);
    /* but not a .git that belongs to somebody else than the folder */
    assert_int_equal(chown(in_folder("r"), 54321, 54321), 0);
    assert_broken(in_folder("r"), NULL, "belongs to another user", "");
}

static void empty_file_is_found(void **state) {
    (void)state;
    const struct fixture_file files[] = {{"dot.cu", ""}};
    fixture_repository(in_folder("r"), true, files, 1);
    assert_found(in_folder("r"), NULL, "dot.cu", "");
}

static void content_keeps_its_nul_bytes(void **state) {
    (void)state;
    const struct fixture_file files[] = {{"dot.cu", "a\0b\n", 0, 4}};
    fixture_repository(in_folder("r"), true, files, 1);
    struct outcome got = read_from(in_folder("r"), NULL, "dot.cu");
    assert_int_equal(got.status, STATUS_OK);
    assert_int_equal(got.file->length, 4);
    assert_memory_equal(got.file->data, "a\0b\n", 5);
    repo_snapshot_free(&got.snapshot);
}

/* ---- what is broken ----------------------------------------------------------------------- */

static void says_what_is_missing(void **state) {
    (void)state;
    assert_broken(in_folder("nowhere"), NULL, "No such file or directory", "");
    assert_broken("git@example.org:ada/work", NULL, "No such file", "ssh://user@host/path");
    assert_int_equal(mkdir(in_folder("plain"), 0777), 0);
    assert_broken(in_folder("plain"), NULL, "is not a git repository", ".git");
    assert_int_equal(file_write(in_folder("file"), "x", 1, NULL), STATUS_OK);
    assert_broken(in_folder("file"), NULL, "is not a folder", "");
    git_repository_free(fixture_init(in_folder("empty"), true));
    assert_broken(in_folder("empty"), NULL, "no commit yet", "nothing has been pushed");
    assert_broken(in_folder("empty"), "main", "no branch main", "no branches at all");
    char *url = mem_printf("file://%s", in_folder("empty"));
    assert_broken(url, NULL, "no commit yet", "nothing has been pushed");
    free(url);
}

static void does_not_search_parent_folders(void **state) {
    (void)state;
    fixture_repository(in_folder("outer"), false, simple, 2);
    assert_int_equal(mkdir(in_folder("outer/inner"), 0777), 0);
    assert_broken(in_folder("outer/inner"), NULL, "is not a git repository", "");
}

static void names_the_file_that_was_meant(void **state) {
    (void)state;
    const struct fixture_file files[] = {{"Dot.cu", "x"},
                                         {"work/saxpy.cu", "x"},
                                         {"bad\033[31m.cu", "x"},
                                         {"vectormultiply.cu", "x"}};
    fixture_repository(in_folder("r"), true, files, 4);
    assert_file(in_folder("r"), "dot.cu", REPO_FILE_MISSING, "there is no dot.cu in main",
                "there is Dot.cu: capital and small letters differ, rename it to dot.cu");
    assert_file(in_folder("r"), "saxpy.cu", REPO_FILE_MISSING, "no saxpy.cu", "work/saxpy.cu");
    assert_file(in_folder("r"), "vector-multiply.cu", REPO_FILE_MISSING, "", "vectormultiply.cu");
    struct outcome got = read_from(in_folder("r"), NULL, "matmul-boundary.cu");
    assert_non_null(strstr(got.file->hint, "Dot.cu"));
    assert_null(strchr(got.file->hint, '\033'));
    repo_snapshot_free(&got.snapshot);
}

static void refuses_links_submodules_and_folders(void **state) {
    (void)state;
    const struct fixture_file files[] = {
        {"dot.cu", "/etc/passwd", GIT_FILEMODE_LINK},
        {"out", "/", GIT_FILEMODE_LINK},
        {"sub", NULL, GIT_FILEMODE_COMMIT},
        {"hooks/post-checkout", "#!/bin/sh\ntouch /tmp/bad\n", GIT_FILEMODE_BLOB_EXECUTABLE},
        {"folder.cu/x", "x"},
        {"lfs.cu", "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12\n"}};
    fixture_repository(in_folder("r"), true, files, ARRAY_LENGTH(files));
    const char *path = in_folder("r");
    assert_file(path, "dot.cu", REPO_FILE_REFUSED, "dot.cu is a symbolic link, not a file",
                "regular");
    assert_file(path, "out/etc/passwd", REPO_FILE_REFUSED, "out is a symbolic link, not a folder",
                "");
    assert_file(path, "sub/dot.cu", REPO_FILE_REFUSED, "sub is a submodule, not a folder", "");
    assert_file(path, "sub", REPO_FILE_REFUSED, "sub is a submodule, not a file", "");
    assert_file(path, "lfs.cu", REPO_FILE_REFUSED, "is in Git LFS", "git lfs untrack");
    assert_file(path, "folder.cu", REPO_FILE_REFUSED, "folder.cu is a folder, not a file", "");
    assert_false(file_exists("/tmp/bad"));
}

static void refuses_a_huge_blob_without_loading_it(void **state) {
    (void)state;
    size_t length = 64 << 20;
    char *zeros = mem_zalloc(length);
    const struct fixture_file files[] = {{"dot.cu", zeros, 0, length}, {"ok.cu", "fine\n"}};
    fixture_repository(in_folder("r"), true, files, 2);
    free(zeros);
    assert_file(in_folder("r"), "dot.cu", REPO_FILE_REFUSED, "too large: 67108864 bytes", "");
    assert_found(in_folder("r"), NULL, "ok.cu", "fine\n");
}

/* A tree written byte by byte, with a name that git's own tools refuse to make. */
static void hostile_names_are_not_followed(void **state) {
    (void)state;
    git_repository *repository = fixture_init(in_folder("r"), true);
    git_odb *odb;
    assert_git(git_repository_odb(&odb, repository));
    git_oid blob, tree, commit;
    assert_git(git_odb_write(&blob, odb, "x", 1, GIT_OBJECT_BLOB));
    struct text raw = {0};
    const char *names[] = {"..", "a\nb.cu", "\xff\xfe.cu"};
    for (unsigned i = 0; i < ARRAY_LENGTH(names); i++) {
        text_printf(&raw, "100644 %s", names[i]);
        text_append_char(&raw, '\0');
        text_append_bytes(&raw, blob.id, sizeof blob.id);
    }
    assert_git(git_odb_write(&tree, odb, raw.data, raw.length, GIT_OBJECT_TREE));
    char hex[41];
    char *text = mem_printf("tree %s\nauthor A <a@b> %d +0000\ncommitter A <a@b> %d +0000\n\nx\n",
                            git_oid_tostr(hex, sizeof hex, &tree), FIXTURE_TIME, FIXTURE_TIME);
    assert_git(git_odb_write(&commit, odb, text, strlen(text), GIT_OBJECT_COMMIT));
    git_reference *reference;
    assert_git(git_reference_create(&reference, repository, "refs/heads/main", &commit, 1, NULL));
    git_reference_free(reference);
    git_odb_free(odb);
    git_repository_free(repository);
    text_free(&raw);
    free(text);
    struct outcome got = read_from(in_folder("r"), NULL, "dot.cu");
    if (got.status == STATUS_OK) {
        assert_int_equal(got.file->state, REPO_FILE_MISSING);
        assert_null(strchr(got.file->hint, '\n'));
        assert_null(strchr(got.file->hint, '\xff'));
    } else {
        assert_int_equal(got.status, STATUS_INVALID);
    }
    repo_snapshot_free(&got.snapshot);
}

static void a_folder_of_a_million_names_is_not_loaded(void **state) {
    (void)state;
    git_repository *repository = fixture_init(in_folder("r"), true);
    git_odb *odb;
    assert_git(git_repository_odb(&odb, repository));
    git_oid blob, tree;
    assert_git(git_odb_write(&blob, odb, "x", 1, GIT_OBJECT_BLOB));
    struct text raw = {0};
    for (unsigned i = 0; raw.length < 9 << 20; i++) {
        text_printf(&raw, "100644 f%07u", i);
        text_append_char(&raw, '\0');
        text_append_bytes(&raw, blob.id, sizeof blob.id);
    }
    assert_git(git_odb_write(&tree, odb, raw.data, raw.length, GIT_OBJECT_TREE));
    text_free(&raw);
    git_odb_free(odb);
    fixture_commit(repository, "refs/heads/main", &tree);
    git_repository_free(repository);
    assert_broken(in_folder("r"), NULL, "the tree", "");
}

static void damaged_objects_are_the_owners_problem(void **state) {
    (void)state;
    git_repository *repository = fixture_init(in_folder("r"), true);
    git_oid tree = fixture_tree(repository, simple, 2);
    git_oid commit = fixture_commit(repository, "refs/heads/main", &tree);
    git_repository_free(repository);
    char hex[41];
    git_oid_tostr(hex, sizeof hex, &tree);
    char *name = mem_printf("r/objects/%.2s/%s", hex, hex + 2);
    assert_int_equal(file_write(in_folder(name), "garbage", 7, NULL), STATUS_OK);
    assert_broken(in_folder("r"), NULL, "damaged", "");
    assert_int_equal(unlink(in_folder(name)), 0);
    free(name);
    assert_broken(in_folder("r"), NULL, "is missing", "");
    git_oid_tostr(hex, sizeof hex, &commit);
    name = mem_printf("r/objects/%.2s/%s", hex, hex + 2);
    assert_int_equal(unlink(in_folder(name)), 0);
    free(name);
    assert_broken(in_folder("r"), NULL, "", "");
}

/* A clone with --filter=blob:none: the file's name is there and its content is not. */
static void a_partial_clone_is_said(void **state) {
    (void)state;
    git_repository *repository = fixture_init(in_folder("r"), true);
    git_oid tree = fixture_tree(repository, simple, 1);
    fixture_commit(repository, "refs/heads/main", &tree);
    git_oid blob;
    char hex[41];
    assert_git(git_odb_hash(&blob, simple[0].content, strlen(simple[0].content), GIT_OBJECT_BLOB));
    git_oid_tostr(hex, sizeof hex, &blob);
    char *name = mem_printf("r/objects/%.2s/%s", hex, hex + 2);
    assert_int_equal(unlink(in_folder(name)), 0);
    free(name);
    git_config *config;
    assert_git(git_repository_config(&config, repository));
    assert_git(git_config_set_bool(config, "remote.origin.promisor", 1));
    git_config_free(config);
    git_repository_free(repository);
    assert_file(in_folder("r"), "dot.cu", REPO_FILE_REFUSED, "is a partial clone",
                "without --filter");
}

/* ---- what reaches outside itself ---------------------------------------------------------- */

static void refuses_borrowed_objects(void **state) {
    (void)state;
    fixture_repository(in_folder("victim"), true, simple, 2);
    git_repository_free(fixture_init(in_folder("thief"), true));
    char *objects = mem_printf("%s/objects\n", in_folder("victim"));
    assert_int_equal(
        file_write(in_folder("thief/objects/info/alternates"), objects, strlen(objects), NULL),
        STATUS_OK);
    free(objects);
    char *data;
    size_t length;
    assert_int_equal(file_read(in_folder("victim/refs/heads/main"), 100, &data, &length, NULL), 0);
    assert_int_equal(file_write(in_folder("thief/refs/heads/main"), data, length, NULL), 0);
    free(data);
    assert_broken(in_folder("thief"), NULL, "borrows objects", "git repack");
    char *url = mem_printf("file://%s", in_folder("thief"));
    assert_broken(url, NULL, "borrows objects", "git repack");
    free(url);
}

static void refuses_links_inside_the_git_folder(void **state) {
    (void)state;
    fixture_repository(in_folder("victim"), true, simple, 2);
    git_repository_free(fixture_init(in_folder("thief"), true));
    assert_int_equal(rmdir(in_folder("thief/objects/info")), 0);
    assert_int_equal(rmdir(in_folder("thief/objects/pack")), 0);
    assert_int_equal(rmdir(in_folder("thief/objects")), 0);
    char *target = mem_strdup(in_folder("victim/objects"));
    assert_int_equal(symlink(target, in_folder("thief/objects")), 0);
    free(target);
    assert_broken(in_folder("thief"), NULL, "is a symbolic link", "fresh");
}

static void a_fifo_cannot_hold_it_up(void **state) {
    (void)state;
    fixture_repository(in_folder("r"), true, simple, 2);
    assert_int_equal(unlink(in_folder("r/HEAD")), 0);
    assert_int_equal(mkfifo(in_folder("r/HEAD"), 0666), 0);
    struct repo_want want = {
        .candidates = {"dot.cu"}, .candidate_count = 1, .not_after = INT64_MAX};
    struct repo_request request = {
        .location = in_folder("r"), .wants = &want, .want_count = 1, .time_limit_seconds = 1};
    struct repo_snapshot snapshot;
    struct error error;
    time_t start = time(NULL);
    assert_int_equal(repo_read(&request, &snapshot, &error), STATUS_INVALID);
    assert_true(time(NULL) - start <= 4);
}

/* ---- URLs --------------------------------------------------------------------------------- */

static void refuses_other_urls(void **state) {
    (void)state;
    assert_broken("http://example.org/x", NULL, "this kind of URL is not read", "https://");
    assert_broken("git://example.org/x", NULL, "this kind of URL is not read", "https://");
    assert_broken("ext::sh -c x://", NULL, "this kind of URL is not read", "https://");
    assert_broken("file://host/x", NULL, "names a host", "");
    assert_broken("file:///a%2", NULL, "wrong %-escape", "");
    assert_broken("file:///a%00", NULL, "wrong %-escape", "");
}

static int listen_locally(unsigned *port) {
    int server = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t length = sizeof address;
    assert_int_equal(bind(server, (struct sockaddr *)&address, sizeof address), 0);
    assert_int_equal(listen(server, 4), 0);
    assert_int_equal(getsockname(server, (struct sockaddr *)&address, &length), 0);
    *port = ntohs(address.sin_port);
    return server;
}

static size_t count_clones(void) {
    size_t count = 0;
    char *roots[] = {folder, NULL};
    FTS *walk = fts_open(roots, FTS_PHYSICAL, NULL);
    for (FTSENT *entry; (entry = fts_read(walk));)
        count += entry->fts_info == FTS_D && entry->fts_level == 1 &&
                 strstr(entry->fts_name, "clone") != NULL;
    fts_close(walk);
    return count;
}

static void a_silent_server_ends_at_the_time_limit(void **state) {
    (void)state;
    unsigned port;
    int server = listen_locally(&port);
    char *url = mem_printf("https://ada:geheim@127.0.0.1:%u/work.git", port);
    setenv("TMPDIR", folder, 1);
    struct repo_request request = {.location = url, .time_limit_seconds = 1};
    struct repo_snapshot snapshot;
    struct error error;
    time_t start = time(NULL);
    assert_int_equal(repo_read(&request, &snapshot, &error), STATUS_INVALID);
    assert_non_null(strstr(error.message, "longer than 1 seconds"));
    assert_true(time(NULL) - start <= 4);
    assert_int_equal(count_clones(), 0); /* killed, and still nothing is left */
    unsetenv("TMPDIR");
    close(server);
    assert_broken(url, NULL, "cannot be fetched", "");
    struct outcome got = read_from(url, NULL, "dot.cu");
    assert_null(strstr(got.error.message, "geheim"));
    free(url);
    /* libgit2 repeats a URL that it cannot parse; 1.7 takes this port and asks for the host. */
    got = read_from("https://ada:geheim@host:99999999/x", NULL, "dot.cu");
    assert_int_equal(got.status, STATUS_INVALID);
    assert_null(strstr(got.error.message, "geheim"));
    if (strstr(got.error.message, "@host:"))
        assert_non_null(strstr(got.error.message, "'https://ada:***@host:"));
}

static void clones_of_killed_programs_are_removed(void **state) {
    (void)state;
    fixture_repository(in_folder("r"), true, simple, 2);
    assert_int_equal(mkdir(in_folder("warpgrade-clone.old"), 0700), 0);
    assert_int_equal(file_write(in_folder("warpgrade-clone.old/HEAD"), "x", 1, NULL), STATUS_OK);
    struct timespec old[2] = {{.tv_sec = time(NULL) - 86400}, {.tv_sec = time(NULL) - 86400}};
    assert_int_equal(utimensat(AT_FDCWD, in_folder("warpgrade-clone.old"), old, 0), 0);
    assert_int_equal(mkdir(in_folder("warpgrade-clone.live"), 0700), 0);
    setenv("TMPDIR", folder, 1);
    char *url = mem_printf("file://%s", in_folder("r"));
    assert_found(url, NULL, "dot.cu", simple[0].content);
    free(url);
    unsetenv("TMPDIR");
    assert_false(file_exists(in_folder("warpgrade-clone.old")));
    assert_true(file_exists(in_folder("warpgrade-clone.live")));
    assert_int_equal(count_clones(), 1);
}

static void fetches_overlap_and_cancel(void **state) {
    (void)state;
    fixture_repository(in_folder("r"), true, simple, 2);
    struct repo_want want = {
        .candidates = {"dot.cu"}, .candidate_count = 1, .not_after = INT64_MAX};
    struct repo_request request = {.location = in_folder("r"), .wants = &want, .want_count = 1};
    struct repo_fetch *first, *second;
    struct error error;
    assert_int_equal(repo_fetch_start(&request, &first, &error), STATUS_OK);
    assert_int_equal(repo_fetch_start(&request, &second, &error), STATUS_OK);
    repo_fetch_cancel(first);
    repo_fetch_cancel(NULL);
    struct repo_snapshot snapshot;
    assert_int_equal(repo_fetch_finish(second, &snapshot, &error), STATUS_OK);
    assert_string_equal(snapshot.files[0].data, simple[0].content);
    repo_snapshot_free(&snapshot);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, make_folder, remove_folder)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(reads_bare_worktree_and_dotgit),
        TEST(reads_file_urls_by_fetching),
        TEST(reads_other_branch),
        TEST(reads_detached_head),
        TEST(takes_first_candidate),
        TEST(reads_repository_of_another_user),
        TEST(empty_file_is_found),
        TEST(content_keeps_its_nul_bytes),
        TEST(says_what_is_missing),
        TEST(does_not_search_parent_folders),
        TEST(names_the_file_that_was_meant),
        TEST(refuses_links_submodules_and_folders),
        TEST(refuses_a_huge_blob_without_loading_it),
        TEST(hostile_names_are_not_followed),
        TEST(a_folder_of_a_million_names_is_not_loaded),
        TEST(damaged_objects_are_the_owners_problem),
        TEST(a_partial_clone_is_said),
        TEST(refuses_borrowed_objects),
        TEST(refuses_links_inside_the_git_folder),
        TEST(a_fifo_cannot_hold_it_up),
        TEST(refuses_other_urls),
        TEST(a_silent_server_ends_at_the_time_limit),
        TEST(clones_of_killed_programs_are_removed),
        TEST(fetches_overlap_and_cancel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
