/* From books, folders and courses to classes: one for each exercise. */
#ifndef WARPGRADE_GRADER_SIMILARITY_COLLECT_H
#define WARPGRADE_GRADER_SIMILARITY_COLLECT_H

#include "grader/similarity/similarity.h"
#include "sandbox/base/language.h"

struct exercise;

struct similarity_set {
    struct similarity_class *classes; /* sorted by similarity_set_finish() */
    size_t count, capacity;
    struct exercise **exercises; /* of each class; NULL: not in the catalogue */
    size_t exercise_count, exercise_capacity;
    const char *only;       /* the one exercise that is asked for; NULL: all */
    enum language language; /* the course's */
    struct text notes;      /* what was passed over, a line each; hostile text */
};

/* Each file FOLDER/STUDENT.cu and the .cu files of each FOLDER/STUDENT/ are a submission, to the
 * exercise that their first comment or their name says. Links are not followed. */
enum status similarity_collect_folder(struct similarity_set *set, const char *path,
                                      enum similarity_role role, struct error *error);
/* The submission of each student that counts, from a gradebook. */
enum status similarity_collect_book(struct similarity_set *set, const char *path,
                                    enum similarity_role role, struct error *error);
/* A course's gradebook, without exercises that it does not compare, with its teams and the books of
 * earlier years that it names. *threshold is its own, where it has one. */
enum status similarity_collect_course(struct similarity_set *set, const char *path,
                                      double *threshold, struct error *error);
/* Sorts the classes, and adds each exercise's own kernels. */
enum status similarity_set_finish(struct similarity_set *set, struct error *error);
void similarity_set_free(struct similarity_set *set);

/* Takes over the text. */
void similarity_set_add(struct similarity_set *set, const char *exercise,
                        struct similarity_item item);

#endif
