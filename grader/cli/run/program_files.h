/* The files that a program's arguments name. Private to the command. */
#ifndef WARPGRADE_GRADER_CLI_RUN_PROGRAM_FILES_H
#define WARPGRADE_GRADER_CLI_RUN_PROGRAM_FILES_H

struct program_files {
    const char **arguments; /* as the program gets them, ended by NULL */
    const char **paths;     /* of the files elsewhere: absolute, ended by NULL */
    const char **named;     /* of those in the folder: relative to it, ended by NULL */
};

/* `arguments` is ended by NULL; `folder` is the one that the program starts in a copy of: an
 * absolute path without links; NULL: none. Free *files. */
void program_files_find(char *const *arguments, const char *folder, struct program_files *files);
void program_files_free(struct program_files *files);

#endif
