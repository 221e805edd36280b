/* The doors of the house: which room's objects use which other room's, read from the archives.
 *
 *     nm -A -g ROOM.a ... | house ROOMS.tsv [MOST]
 *
 * ROOMS.tsv, made by CMake, has a line a room: its name, its archive and the rooms that it links. A
 * room may use those and what they link in their turn; every other edge is printed and is an error.
 * So is a cycle of objects that is larger than MOST (12 where it is not given) or reaches over two
 * rooms. Exit codes: 0 all edges go down, 1 some do not, 2 the input is not what it should be. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ROOMS = 64, MAX_UNITS = 2048, MAX_SYMBOLS = 1 << 16, DEFAULT_MOST = 12 };

struct room {
    char name[64], archive[128], links[512];
    bool below[MAX_ROOMS]; /* what it may use, itself included */
};
struct unit { /* an object; those that are compiled for several CPUs count as one */
    char name[96];
    int room;
    int index, low; /* Tarjan's numbers */
    bool on_stack;
};
struct symbol {
    char *name;
    int unit;
};

static struct room rooms[MAX_ROOMS];
static struct unit units[MAX_UNITS];
static struct symbol defined[MAX_SYMBOLS], used[MAX_SYMBOLS];
static int room_count, unit_count, defined_count, used_count;
static bool uses[MAX_UNITS][MAX_UNITS];
static int stack[MAX_UNITS], stack_count, next_index, faults;

static int room_find(const char *name, bool by_archive) {
    for (int i = 0; i < room_count; i++)
        if (strcmp(by_archive ? rooms[i].archive : rooms[i].name, name) == 0)
            return i;
    return -1;
}

static bool read_rooms(const char *path) {
    FILE *file = fopen(path, "re");
    char line[1024];
    if (!file)
        return false;
    while (room_count < MAX_ROOMS && fgets(line, sizeof line, file)) {
        struct room *room = &rooms[room_count];
        if (sscanf(line, "%63[^\t]\t%127[^\t]\t%511[^\n]", room->name, room->archive,
                   room->links) >= 2)
            room_count++;
    }
    fclose(file);
    for (int i = 0; i < room_count; i++) { /* lowest first, so what it links is complete */
        rooms[i].below[i] = true;
        for (char *rest = rooms[i].links, *name; (name = strtok_r(rest, " ", &rest));) {
            int other = room_find(name, false);
            for (int k = 0; other >= 0 && k < room_count; k++)
                rooms[i].below[k] |= rooms[other].below[k];
        }
    }
    return room_count > 0;
}

static int unit_of(int room, const char *object) {
    for (int i = 0; i < unit_count; i++)
        if (units[i].room == room && strcmp(units[i].name, object) == 0)
            return i;
    if (unit_count == MAX_UNITS)
        exit(2);
    units[unit_count] = (struct unit){.room = room, .index = -1};
    snprintf(units[unit_count].name, sizeof units[unit_count].name, "%s", object);
    return unit_count++;
}

/* "lib/libroom.a:object.c.o:0000000000000000 T name", where the number may be missing. */
static void read_symbol(char *line) {
    char *object = strchr(line, ':');
    char *rest = object ? strchr(object + 1, ':') : NULL;
    if (!rest)
        return;
    *object++ = *rest++ = '\0';
    const char *slash = strrchr(line, '/');
    int room = room_find(slash ? slash + 1 : line, true);
    char kind, name[512];
    if (room < 0 || (sscanf(rest, "%*[0-9a-f] %c %511s", &kind, name) != 2 &&
                     sscanf(rest, " %c %511s", &kind, name) != 2))
        return;
    bool is_use = kind == 'U' || kind == 'w';
    struct symbol *table = is_use ? used : defined;
    int *count = is_use ? &used_count : &defined_count;
    if (*count == MAX_SYMBOLS)
        exit(2);
    table[(*count)++] = (struct symbol){strdup(name), unit_of(room, object)};
}

static int compare(const void *a, const void *b) {
    return strcmp(((const struct symbol *)a)->name, ((const struct symbol *)b)->name);
}

static void check_edges(void) {
    qsort(defined, (size_t)defined_count, sizeof *defined, compare);
    for (int i = 0; i < used_count; i++) {
        const struct symbol *home =
            bsearch(&used[i], defined, (size_t)defined_count, sizeof *defined, compare);
        if (!home)
            continue;
        const struct unit *from = &units[used[i].unit], *to = &units[home->unit];
        uses[used[i].unit][home->unit] = true;
        if (rooms[from->room].below[to->room])
            continue;
        printf("%s/%s uses %s of %s/%s, which it does not link\n", rooms[from->room].name,
               from->name, used[i].name, rooms[to->room].name, to->name);
        faults++;
    }
}

/* Tarjan, "Depth-first search and linear graph algorithms", 1972: the strongly connected parts. */
static int largest;
static void visit(int at, int most) {
    units[at].index = units[at].low = next_index++;
    stack[stack_count++] = at;
    units[at].on_stack = true;
    for (int other = 0; other < unit_count; other++) {
        if (!uses[at][other])
            continue;
        if (units[other].index < 0)
            visit(other, most);
        else if (!units[other].on_stack)
            continue;
        int low = units[other].low < units[other].index ? units[other].low : units[other].index;
        if (low < units[at].low)
            units[at].low = low;
    }
    if (units[at].low != units[at].index)
        return;
    int first = stack_count;
    bool one_room = true;
    do {
        int member = stack[--first];
        units[member].on_stack = false;
        one_room &= units[member].room == units[at].room;
    } while (stack[first] != at);
    int size = stack_count - first;
    largest = size > largest ? size : largest;
    if (size > most || !one_room) {
        printf("a cycle of %d objects%s:", size, one_room ? "" : " over several rooms");
        for (int i = first; i < stack_count; i++)
            printf(" %s/%s", rooms[units[stack[i]].room].name, units[stack[i]].name);
        printf("\n");
        faults++;
    }
    stack_count = first;
}

int main(int argc, char **argv) {
    if (argc < 2 || argc > 3 || !read_rooms(argv[1])) {
        fprintf(stderr, "usage: nm -A -g ROOM.a ... | house ROOMS.tsv [MOST]\n");
        return 2;
    }
    int most = argc == 3 ? atoi(argv[2]) : DEFAULT_MOST;
    char line[1024];
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = '\0';
        read_symbol(line);
    }
    if (defined_count == 0 || used_count == 0) {
        fprintf(stderr, "house: no symbols were read\n");
        return 2;
    }
    check_edges();
    for (int i = 0; i < unit_count; i++)
        if (units[i].index < 0)
            visit(i, most);
    printf("%d rooms, %d objects; the largest cycle has %d; %d faults\n", room_count, unit_count,
           largest, faults);
    return faults ? 1 : 0;
}
