/* Repositories for tests, made by libgit2 in a temporary folder: no git program is needed. */
#ifndef WARPGRADE_TESTS_SUPPORT_GIT_FIXTURE_H
#define WARPGRADE_TESTS_SUPPORT_GIT_FIXTURE_H

#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <fts.h>
#include <git2.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FIXTURE_TIME = 1700000000 };

static inline char *fixture_folder(void) {
    char *path = mem_strdup("/tmp/warpgrade-test.XXXXXX");
    assert_non_null(mkdtemp(path));
    return path;
}

/* In memory where there is such a place: a disk that is waited for with each commit of a database
 * is most of what tests of gradebooks take on a busy machine. */
static inline char *fixture_fast_folder(void) {
    char *path = mem_strdup("/dev/shm/warpgrade-test.XXXXXX");
    if (mkdtemp(path))
        return path;
    free(path);
    return fixture_folder();
}

static inline void fixture_remove(const char *path) {
    char *roots[] = {(char *)(uintptr_t)path, NULL};
    FTS *walk = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
    for (FTSENT *entry; walk && (entry = fts_read(walk));)
        if (entry->fts_info == FTS_DP)
            rmdir(entry->fts_accpath);
        else if (entry->fts_info != FTS_D)
            unlink(entry->fts_accpath);
    if (walk)
        fts_close(walk);
}

#define assert_git(expression) assert_int_equal(expression, 0)

static inline git_repository *fixture_init(const char *path, bool bare) {
    git_libgit2_init();
    git_repository_init_options options;
    assert_git(git_repository_init_options_init(&options, GIT_REPOSITORY_INIT_OPTIONS_VERSION));
    options.flags = GIT_REPOSITORY_INIT_MKPATH | (bare ? (uint32_t)GIT_REPOSITORY_INIT_BARE : 0);
    options.initial_head = "main";
    git_repository *repository;
    assert_git(git_repository_init_ext(&repository, path, &options));
    return repository;
}

/* One file of a commit; content NULL with mode COMMIT is a submodule. */
struct fixture_file {
    const char *path;
    const char *content;
    git_filemode_t mode; /* 0: a regular file */
    size_t length;       /* 0: strlen(content) */
};

static inline git_oid fixture_tree(git_repository *repository, const struct fixture_file *files,
                                   size_t count) {
    git_index *index;
    git_odb *odb;
    assert_git(git_repository_index(&index, repository));
    assert_git(git_repository_odb(&odb, repository));
    assert_git(git_index_clear(index));
    for (size_t i = 0; i < count; i++) {
        git_index_entry entry = {0};
        entry.path = files[i].path;
        entry.mode = files[i].mode ? files[i].mode : GIT_FILEMODE_BLOB;
        if (files[i].content) {
            size_t length = files[i].length ? files[i].length : strlen(files[i].content);
            assert_git(git_odb_write(&entry.id, odb, files[i].content, length, GIT_OBJECT_BLOB));
        } else {
            assert_git(git_oid_fromstr(&entry.id, "1234567890123456789012345678901234567890"));
        }
        assert_git(git_index_add(index, &entry));
    }
    git_oid tree;
    assert_git(git_index_write_tree(&tree, index));
    git_index_free(index);
    git_odb_free(odb);
    return tree;
}

/* Commits a tree with these parents; the reference (NULL: none) then leads to it. */
static inline git_oid fixture_commit_on(git_repository *repository, const char *reference,
                                        const git_oid *tree_id, git_time_t when,
                                        const git_oid *parents, size_t parent_count) {
    git_signature *signature;
    assert_git(git_signature_new(&signature, "Ada", "ada@example.org", when, 0));
    git_tree *tree = NULL;
    git_oid commit;
    git_commit *loaded[8];
    const git_commit *given[8];
    assert_true(parent_count <= 8);
    for (size_t i = 0; i < parent_count; i++) {
        assert_git(git_commit_lookup(&loaded[i], repository, &parents[i]));
        given[i] = loaded[i];
    }
    assert_git(git_tree_lookup(&tree, repository, tree_id));
    assert_git(git_commit_create(&commit, repository, NULL, signature, signature, NULL, "work",
                                 tree, parent_count, given));
    git_reference *made;
    if (reference) {
        assert_git(git_reference_create(&made, repository, reference, &commit, 1, NULL));
        git_reference_free(made);
    }
    for (size_t i = 0; i < parent_count; i++)
        git_commit_free(loaded[i]);
    git_tree_free(tree);
    git_signature_free(signature);
    return commit;
}

/* The same without parents. */
static inline git_oid fixture_commit(git_repository *repository, const char *reference,
                                     const git_oid *tree_id) {
    return fixture_commit_on(repository, reference, tree_id, FIXTURE_TIME, NULL, 0);
}

/* A whole repository with one commit on `main`. */
static inline void fixture_repository(const char *path, bool bare, const struct fixture_file *files,
                                      size_t count) {
    git_repository *repository = fixture_init(path, bare);
    git_oid tree = fixture_tree(repository, files, count);
    fixture_commit(repository, "refs/heads/main", &tree);
    git_repository_free(repository);
}

#endif
