/* The folder of a run in the file system that the nodes share: its mode is 0700 and that of its
 * files 0600, because it holds the secret seed and everybody's submissions. Names of files are
 * relative to it: "results/....report". Whatever is written appears whole, by a rename. */
#ifndef WARPGRADE_GRADER_CLUSTER_RUN_FOLDER_H
#define WARPGRADE_GRADER_CLUSTER_RUN_FOLDER_H

#include "sandbox/base/error.h"

#include <stddef.h>

struct run_folder {
    char *path;
    int descriptor;
};

/* Makes the folder where it is missing. STATUS_ENVIRONMENT where it is another user's, open to
 * others or no folder. */
enum status run_folder_make(const char *path, struct error *error);
/* A run's folder with what stands in it: units, tasks, results, logs. */
enum status run_folder_create(const char *path, struct run_folder *folder, struct error *error);
enum status run_folder_open(const char *path, struct run_folder *folder, struct error *error);
void run_folder_close(struct run_folder *folder);
/* Removes all of it. False: something is left. */
bool run_folder_remove(const char *path);

enum status run_folder_write(const struct run_folder *folder, const char *name, const void *data,
                             size_t length, struct error *error);
/* A regular file of at most max_bytes; what it holds may be anybody's. */
enum status run_folder_read(const struct run_folder *folder, const char *name, size_t max_bytes,
                            char **data, size_t *length, struct error *error);
bool run_folder_has(const struct run_folder *folder, const char *name);
void run_folder_unlink(const struct run_folder *folder, const char *name);

struct run_folder_names {
    char **names;
    size_t count, capacity;
};
/* What stands in one of its folders, in no order; "." files are left out. */
void run_folder_list(const struct run_folder *folder, const char *name,
                     struct run_folder_names *names);
void run_folder_names_free(struct run_folder_names *names);

#endif
