/* What `grade` does without a FILE, and what it says to somebody in the wrong folder. */
#ifndef WARPGRADE_GRADER_CLI_GRADE_FOLDER_H
#define WARPGRADE_GRADER_CLI_GRADE_FOLDER_H

#include "grader/learn/settings.h"

/* The settings of the working folder; where it has none, STATUS_INVALID and what to type. */
enum status grade_folder_settings(struct learn_settings *settings, struct error *error);
/* Adds to the error of a file that is not there what there is instead. */
void grade_folder_hint(const char *path, struct error *error);

#endif
