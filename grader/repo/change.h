/* What a repository changed against a base: all files with one ending, each beside what it was
 * there, and one file of the base itself. Read like everything in repo.h: by a child with limits,
 * straight from the objects, nothing checked out. */
#ifndef WARPGRADE_GRADER_REPO_CHANGE_H
#define WARPGRADE_GRADER_REPO_CHANGE_H

#include "grader/repo/repo.h"

enum {
    REPO_MAX_BASES = 8,
    REPO_MAX_CHANGES = 10000,       /* files with the ending in a commit */
    REPO_MAX_TREE_ENTRIES = 200000, /* names of a commit that are looked at */
    REPO_MAX_TREE_DEPTH = 24,       /* what lies deeper is counted and left out */
};

/* A commit to compare with. The first of a request's list that can be used is taken. */
enum repo_base_kind {
    REPO_BASE_NAME,   /* what a person types: a branch, "origin/main", a tag, an id; with ~N or ^ */
    REPO_BASE_BRANCH, /* of the remote `origin`, else of this repository */
    REPO_BASE_ID,     /* 40 digits */
};
struct repo_base {
    enum repo_base_kind kind;
    const char *name;
    bool optional;  /* where it is not there, the next one is tried */
    bool is_parent; /* only where the head has something that it has not */
    bool is_guess;  /* it need not exist, also where the clone is shallow */
};

struct repo_change_request {
    const char *location; /* a folder of this machine that is a repository */
    const char *head;     /* a branch, a tag or a commit's id; NULL: HEAD, also a detached one */
    const struct repo_base *bases;
    size_t base_count;
    const char *ending;        /* ".cu": of the files that are read */
    const char *rules;         /* the path of a file that is read from the base */
    double time_limit_seconds; /* 0: the default */
};

enum repo_change_kind {
    REPO_CHANGE_NONE,
    REPO_CHANGE_ADDED,
    REPO_CHANGE_MODIFIED,
    REPO_CHANGE_RENAMED, /* the same content stood elsewhere, where it is no more */
    REPO_CHANGE_DELETED, /* file.state is MISSING, file.path where it was */
    REPO_CHANGE_KIND_COUNT
};
struct repo_change {
    enum repo_change_kind kind;
    char *was;             /* RENAMED: from where; else "" */
    struct repo_file file; /* state, path, data, message and hint only; of the head */
};

struct repo_changes {
    struct repo_commit head;
    size_t base_index;       /* which of the bases was used; base_count: none */
    struct repo_commit base; /* its commit; none: everything counts as added */
    struct repo_commit fork; /* what is compared with: the last commit that base and head share */
    bool is_unrelated;       /* they share none that this clone knows: fork is base */
    bool is_shallow;         /* the clone has a part of the history */
    struct repo_file rules;  /* FOUND, MISSING or REFUSED; of the base's commit, else of the head */
    bool rules_changed;      /* the head has another one, or none */
    size_t left_out;         /* submodules, and folders that are too deep: not looked into */
    struct repo_change *changes; /* sorted by path */
    size_t change_count;
};

/* STATUS_INVALID: the repository cannot be read, or a person's base is not there.
 * STATUS_ENVIRONMENT: this clone lacks a base that it should have; the hint says how to get it. */
enum status repo_changes_read(const struct repo_change_request *request,
                              struct repo_changes *changes, struct error *error);
void repo_changes_free(struct repo_changes *changes);

#endif
