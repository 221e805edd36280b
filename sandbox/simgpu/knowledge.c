/* Append-only logs of what writers knew, and the search through them.
 *
 * Entries of one block and warp are chained newest first, so that a question looks at few of them.
 * A log holds references to other logs where its writer had read those, and the search follows
 * them, each part of a log once. A log that has grown too long is taken to say everything where
 * the answer hangs on it: a race may be missed then, which the result says, and none is made up. */
#include "sandbox/simgpu/knowledge.h"

#include "grader/base/memory.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

enum {
    LOG_LIMIT = 1 << 20,
    OBJECT_LIMIT = 1 << 17,
    SEARCH_FAR = 1 << 16, /* references that are followed */
    SEARCH_NEAR = 128,
    SAME_LIMIT = 64, /* entries that are looked at for one that says the same */
};
/* The key of the object that stands for all beyond the limit. */
static const struct sync_key everything = {UINT64_MAX, UINT64_MAX};

struct chain {
    UT_hash_handle hh;
    uint64_t key;    /* block << 16 | warp */
    uint32_t newest; /* entry, plus 1 */
};

/* An entry of a log: its chain says of which block and warp. */
struct log_entry {
    lane_mask lanes;
    uint32_t until, latest; /* this entry's; of this one and those before it in the chain */
    uint32_t older, far;    /* entries before it in the chain: the next, one far away; plus 1 */
    uint32_t depth;         /* entries in the chain */
};

struct sync_object {
    UT_hash_handle hh;
    struct sync_key key;
    struct log_entry *lanes;
    size_t lane_count, lane_capacity;
    struct known_object *objects;
    size_t object_count, object_capacity;
    struct chain *chains;
    bool overflowed;
    /* of the search that is going on */
    bool is_touched, is_queued;
    uint32_t wanted_lanes, wanted_objects, seen_objects;
    struct sync_object *next_touched, *next_queued;
};

static struct chain *find_chain(const struct sync_object *object, uint32_t block, unsigned warp) {
    uint64_t key = (uint64_t)block << 16 | warp;
    struct chain *chain = NULL;
    HASH_FIND(hh, object->chains, &key, sizeof key, chain);
    return chain;
}

/* A search through objects: those whose own logs are still to be looked at stand in a queue, with
 * the lengths up to which they count. Of an object that several logs refer to, each part is looked
 * at once. */
struct search {
    uint32_t block;
    unsigned warp;
    lane_mask lanes; /* still to be found */
    uint32_t time;
    bool overflowed; /* a log says less than its writers knew, or was not looked at */
    unsigned left;   /* references that may still be followed */
    struct sync_object *first, *last, *touched;
};

/* The newest entry of the first `length`: entries behind it are passed by in steps that double. */
static uint32_t newest_within(const struct sync_object *object, uint32_t at, uint32_t length) {
    while (at > length) {
        const struct log_entry *entry = &object->lanes[at - 1];
        at = entry->far > length ? entry->far : entry->older;
    }
    return at;
}

static void search_chain(struct search *search, const struct sync_object *object, unsigned warp) {
    const struct chain *chain = find_chain(object, search->block, warp);
    uint32_t at = chain ? newest_within(object, chain->newest, object->wanted_lanes) : 0;
    for (; at && search->lanes; at = object->lanes[at - 1].older) {
        const struct log_entry *entry = &object->lanes[at - 1];
        if (entry->latest <= search->time)
            return; /* nor is any before it later */
        if (entry->until > search->time)
            search->lanes &= ~entry->lanes;
    }
}

static void search_later(struct search *search, const struct known_object *known) {
    struct sync_object *object = known->object;
    if (!search->left) {
        search->overflowed = true;
        return;
    }
    search->left--;
    if (!object->is_touched) {
        object->is_touched = true;
        object->next_touched = search->touched;
        search->touched = object;
    }
    bool more =
        known->lane_length > object->wanted_lanes || known->object_length > object->wanted_objects;
    if (known->lane_length > object->wanted_lanes)
        object->wanted_lanes = known->lane_length;
    if (known->object_length > object->wanted_objects)
        object->wanted_objects = known->object_length;
    if (!more || object->is_queued)
        return;
    object->is_queued = true;
    object->next_queued = NULL;
    if (search->last)
        search->last->next_queued = object;
    else
        search->first = object;
    search->last = object;
}

static bool is_over(const struct search *search) {
    return !search->lanes || (search->overflowed && !search->left);
}

static void search_object(struct search *search, struct sync_object *object) {
    search->overflowed |= object->overflowed;
    search_chain(search, object, search->warp);
    search_chain(search, object, ALL_WARPS);
    for (uint32_t i = object->wanted_objects; i-- > object->seen_objects && !is_over(search);)
        search_later(search, &object->objects[i]);
    object->seen_objects = object->wanted_objects;
}

static void search_queue(struct search *search) {
    while (search->first && search->lanes) {
        struct sync_object *object = search->first;
        search->first = object->next_queued;
        if (!search->first)
            search->last = NULL;
        object->is_queued = false;
        search_object(search, object);
    }
    while (search->touched) {
        struct sync_object *object = search->touched;
        search->touched = object->next_touched;
        object->is_touched = object->is_queued = false;
        object->wanted_lanes = object->wanted_objects = object->seen_objects = 0;
    }
}

lane_mask knowledge_lacks(const struct knowledge *known, unsigned holder,
                          const struct known_lanes *asked, _Atomic bool *guessed) {
    struct search search = {.block = asked->block,
                            .warp = asked->warp,
                            .lanes = asked->lanes,
                            .time = asked->until,
                            .left = guessed ? SEARCH_FAR : SEARCH_NEAR};
    for (size_t i = 0; i < known->lane_count; i++) {
        const struct known_lanes *item = &known->lanes[i];
        if (item->holders >> holder & 1 && item->block == asked->block &&
            (item->warp == asked->warp || item->warp == ALL_WARPS) && item->until > asked->until)
            search.lanes &= ~item->lanes;
    }
    for (size_t i = known->object_count; i-- > 0 && search.lanes;)
        if (known->objects[i].holders >> holder & 1)
            search_later(&search, &known->objects[i]);
    search_queue(&search);
    if (!search.lanes || !search.overflowed || !guessed)
        return search.lanes;
    atomic_store_explicit(guessed, true, memory_order_relaxed);
    return 0;
}

/* Who knows something later of the same lanes need not be told; who knew something earlier forgets
 * it. Entries that nobody holds any more are used again. */
void knowledge_note(struct knowledge *known, struct known_lanes lanes) {
    struct known_lanes *empty = NULL, *same = NULL;
    for (size_t i = 0; i < known->lane_count; i++) {
        struct known_lanes *item = &known->lanes[i];
        if (!item->holders)
            empty = item;
        if (item->block != lanes.block || item->warp != lanes.warp || item->lanes != lanes.lanes)
            continue;
        if (item->until < lanes.until)
            item->holders &= ~lanes.holders;
        else if (item->until > lanes.until)
            lanes.holders &= ~item->holders;
        else
            same = item;
        if (!item->holders)
            empty = item;
    }
    if (same)
        same->holders |= lanes.holders;
    else if (lanes.holders && empty)
        *empty = lanes;
    else if (lanes.holders)
        *mem_push(&known->lanes, &known->lane_count, &known->lane_capacity) = lanes;
}

/* Both of an object's logs only grow, so that of two references one is the later. */
static void note_object(struct knowledge *known, struct known_object object) {
    struct known_object *empty = NULL, *same = NULL;
    for (size_t i = 0; i < known->object_count; i++) {
        struct known_object *item = &known->objects[i];
        if (!item->holders)
            empty = item;
        if (item->object != object.object)
            continue;
        uint64_t there = (uint64_t)item->lane_length + item->object_length;
        uint64_t added = (uint64_t)object.lane_length + object.object_length;
        if (there < added)
            item->holders &= ~object.holders;
        else if (there > added)
            object.holders &= ~item->holders;
        else
            same = item;
        if (!item->holders)
            empty = item;
    }
    if (same)
        same->holders |= object.holders;
    else if (object.holders && empty)
        *empty = object;
    else if (object.holders)
        *mem_push(&known->objects, &known->object_count, &known->object_capacity) = object;
}

void knowledge_join(struct knowledge *to, lane_mask holders, const struct knowledge *from,
                    lane_mask from_holders) {
    for (size_t i = 0; i < from->lane_count; i++) {
        struct known_lanes lanes = from->lanes[i];
        if (lanes.holders & from_holders) {
            lanes.holders = holders;
            knowledge_note(to, lanes);
        }
    }
    for (size_t i = 0; i < from->object_count; i++) {
        struct known_object object = from->objects[i];
        if (object.holders & from_holders) {
            object.holders = holders;
            note_object(to, object);
        }
    }
}

void knowledge_join_held(struct knowledge *to, const struct knowledge *from, lane_mask lanes) {
    for (size_t i = 0; i < from->lane_count; i++) {
        struct known_lanes item = from->lanes[i];
        item.holders &= lanes;
        if (item.holders)
            knowledge_note(to, item);
    }
    for (size_t i = 0; i < from->object_count; i++) {
        struct known_object item = from->objects[i];
        item.holders &= lanes;
        if (item.holders)
            note_object(to, item);
    }
}

void knowledge_share(struct knowledge *known, lane_mask lanes) {
    for (size_t i = 0; i < known->lane_count; i++) {
        struct known_lanes item = known->lanes[i];
        if (item.holders & lanes && lanes & ~item.holders) {
            item.holders = lanes;
            knowledge_note(known, item);
        }
    }
    for (size_t i = 0; i < known->object_count; i++) {
        struct known_object item = known->objects[i];
        if (item.holders & lanes && lanes & ~item.holders) {
            item.holders = lanes;
            note_object(known, item);
        }
    }
}

void knowledge_clear(struct knowledge *known) {
    known->lane_count = known->object_count = 0;
}

void knowledge_free(struct knowledge *known) {
    free(known->lanes);
    free(known->objects);
    *known = (struct knowledge){0};
}

struct sync_object *sync_object_find(struct sync_object **objects, struct sync_key key,
                                     bool create) {
    struct sync_object *object = NULL;
    bool last = key.address == everything.address;
    HASH_FIND(hh, *objects, &key, sizeof key, object);
    if (!object && HASH_COUNT(*objects) >= OBJECT_LIMIT && !last)
        return sync_object_find(objects, everything, true);
    if (!object && create) {
        object = mem_zalloc(sizeof *object);
        object->key = key;
        object->overflowed = last;
        HASH_ADD(hh, *objects, key, sizeof object->key, object);
    }
    return object;
}

/* Skew-binary steps (Myers, "An applicative random-access stack", 1983): any earlier entry of a
 * chain is few of them away. */
static void link_far(const struct sync_object *object, struct log_entry *entry) {
    const struct log_entry *older = entry->older ? &object->lanes[entry->older - 1] : NULL;
    entry->latest = older && older->latest > entry->until ? older->latest : entry->until;
    entry->depth = older ? older->depth + 1 : 1;
    entry->far = entry->older;
    if (!older || !older->far)
        return;
    const struct log_entry *far = &object->lanes[older->far - 1];
    uint32_t farther = far->far ? object->lanes[far->far - 1].depth : 0;
    if (older->depth - far->depth == far->depth - farther)
        entry->far = far->far;
}

static void append_lanes(struct sync_object *object, const struct known_lanes *lanes) {
    struct chain *chain = find_chain(object, lanes->block, lanes->warp);
    if (!chain) {
        chain = mem_zalloc(sizeof *chain);
        chain->key = (uint64_t)lanes->block << 16 | lanes->warp;
        HASH_ADD(hh, object->chains, key, sizeof chain->key, chain);
    }
    uint32_t at = chain->newest;
    for (unsigned i = 0; at && i < SAME_LIMIT; i++, at = object->lanes[at - 1].older)
        if (object->lanes[at - 1].lanes == lanes->lanes) {
            if (object->lanes[at - 1].until >= lanes->until)
                return;
            break;
        }
    struct log_entry *entry = mem_push(&object->lanes, &object->lane_count, &object->lane_capacity);
    *entry =
        (struct log_entry){.lanes = lanes->lanes, .until = lanes->until, .older = chain->newest};
    link_far(object, entry);
    chain->newest = (uint32_t)object->lane_count;
}

static void append_object(struct sync_object *object, const struct known_object *known) {
    if (known->object == object)
        return;
    size_t least = object->object_count > SAME_LIMIT ? object->object_count - SAME_LIMIT : 0;
    for (size_t i = object->object_count; i-- > least;) {
        const struct known_object *entry = &object->objects[i];
        if (entry->object == known->object && entry->lane_length >= known->lane_length &&
            entry->object_length >= known->object_length)
            return;
    }
    *mem_push(&object->objects, &object->object_count, &object->object_capacity) = *known;
}

static bool is_full(struct sync_object *object) {
    if (object->lane_count + object->object_count > LOG_LIMIT)
        object->overflowed = true;
    return object->overflowed;
}

void sync_object_note(struct sync_object *object, struct known_lanes lanes) {
    if (!is_full(object))
        append_lanes(object, &lanes);
}

void sync_object_publish(struct sync_object *object, const struct knowledge *known,
                         unsigned holder) {
    for (size_t i = 0; i < known->lane_count && !is_full(object); i++)
        if (known->lanes[i].holders >> holder & 1)
            append_lanes(object, &known->lanes[i]);
    for (size_t i = 0; i < known->object_count && !is_full(object); i++)
        if (known->objects[i].holders >> holder & 1)
            append_object(object, &known->objects[i]);
}

void sync_object_learn(const struct sync_object *object, struct knowledge *known,
                       lane_mask holders) {
    if (object->lane_count || object->object_count || object->overflowed)
        note_object(known, (struct known_object){(struct sync_object *)(uintptr_t)object,
                                                 (uint32_t)object->lane_count,
                                                 (uint32_t)object->object_count, holders});
}

void sync_objects_free(struct sync_object **objects) {
    struct sync_object *object, *next;
    HASH_ITER(hh, *objects, object, next) {
        struct chain *chain, *next_chain;
        HASH_ITER(hh, object->chains, chain, next_chain) {
            HASH_DEL(object->chains, chain);
            free(chain);
        }
        HASH_DEL(*objects, object);
        free(object->lanes);
        free(object->objects);
        free(object);
    }
}
