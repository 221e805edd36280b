/* See home_view.h. Each id is asked for as `grade` asks, so that both say the same. */
#include "grader/exercise/home_view.h"

#include "sandbox/base/memory.h"

#include <stdlib.h>

static void add(struct id_list *list, char *id) {
    *mem_push(&list->items, &list->count, &list->capacity) = id;
}

/* Takes the id. */
static enum status view_id(struct homes_view *view, size_t home, char *id, struct error *error) {
    struct home_view *item = &view->items[home];
    struct exercise_place place;
    enum status status = exercise_locate(&view->homes, id, &place, error);
    if (status != STATUS_OK) {
        free(id);
        return status;
    }
    item->taken += place.home == home;
    if (place.home != home)
        add(&item->hidden, id);
    else if (!place.reference)
        add(&item->bare, id);
    else
        free(id);
    exercise_place_free(&place);
    return STATUS_OK;
}

static enum status view_home(struct homes_view *view, size_t home, struct error *error) {
    char **ids;
    size_t count;
    enum status status = home_ids(&view->homes.items[home], &ids, &count, error);
    if (status != STATUS_OK)
        return status;
    for (size_t i = 0; i < count; i++)
        if (status == STATUS_OK)
            status = view_id(view, home, ids[i], error);
        else
            free(ids[i]);
    free(ids);
    return status;
}

enum status homes_view_read(struct homes_view *view, struct error *error) {
    *view = (struct homes_view){0};
    enum status status = homes_find(&view->homes, error);
    if (status != STATUS_OK)
        return status;
    view->items = mem_calloc(view->homes.count + 1, sizeof *view->items);
    for (size_t i = 0; i < view->homes.count && status == STATUS_OK; i++)
        status = view_home(view, i, error);
    if (status != STATUS_OK)
        homes_view_free(view);
    return status;
}

static void free_list(struct id_list *list) {
    while (list->count)
        free(list->items[--list->count]);
    free(list->items);
}

void homes_view_free(struct homes_view *view) {
    for (size_t i = 0; view->items && i < view->homes.count; i++) {
        free_list(&view->items[i].hidden);
        free_list(&view->items[i].bare);
    }
    free(view->items);
    homes_free(&view->homes);
    *view = (struct homes_view){0};
}
