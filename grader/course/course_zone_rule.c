/* The rule at the end of a TZif file, in the form of the variable TZ (POSIX 8.3; RFC 8536 3.3.1
 * widens its hours to -167 .. 167): "CET-1CEST,M3.5.0,M10.5.0/3", "<+0330>-3:30". */
#include "grader/course/course_zone.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { DAY_SECONDS = 86400, DEFAULT_CHANGE = 2 * 3600 };

static bool parse_name(const char **text, char name[COURSE_ZONE_NAME]) {
    const char *start = *text;
    bool quoted = *start == '<';
    start += quoted;
    size_t length = quoted ? strcspn(start, ">")
                           : strspn(start, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz");
    if (length < 1 || length >= COURSE_ZONE_NAME || (quoted && start[length] != '>'))
        return false;
    memcpy(name, start, length);
    name[length] = '\0';
    *text = start + length + quoted;
    return true;
}

static bool parse_digits(const char **text, int most, int *value) {
    const char *start = *text;
    *value = 0;
    while (**text >= '0' && **text <= '9' && *text - start < 3)
        *value = *value * 10 + (*(*text)++ - '0');
    return *text > start && *value <= most;
}

/* [+-]hh[:mm[:ss]] */
static bool parse_time(const char **text, int32_t *seconds) {
    int sign = **text == '-' ? -1 : 1, hours, minutes = 0, rest = 0;
    if (**text == '-' || **text == '+')
        (*text)++;
    if (!parse_digits(text, 167, &hours))
        return false;
    if (**text == ':' && ((*text)++, !parse_digits(text, 59, &minutes)))
        return false;
    if (**text == ':' && ((*text)++, !parse_digits(text, 59, &rest)))
        return false;
    *seconds = sign * (hours * 3600 + minutes * 60 + rest);
    return true;
}

/* Mm.w.d, Jn or n, and /time after it. */
static bool parse_change(const char **text, struct course_zone_change *change) {
    if (*(*text)++ != ',')
        return false;
    *change = (struct course_zone_change){.kind = ZONE_DAY, .seconds = DEFAULT_CHANGE};
    if (**text == 'M') {
        change->kind = ZONE_MONTH_WEEK_DAY;
        (*text)++;
        if (!parse_digits(text, 12, &change->month) || *(*text)++ != '.' ||
            !parse_digits(text, 5, &change->week) || *(*text)++ != '.' ||
            !parse_digits(text, 6, &change->day) || change->month < 1 || change->week < 1)
            return false;
    } else {
        if (**text == 'J') {
            change->kind = ZONE_JULIAN;
            (*text)++;
        }
        if (!parse_digits(text, 365, &change->day) ||
            (change->kind == ZONE_JULIAN && change->day < 1))
            return false;
    }
    if (**text != '/')
        return true;
    (*text)++;
    return parse_time(text, &change->seconds);
}

bool course_zone_rule_parse(const char *text, struct course_zone_rule *rule) {
    int32_t west;
    *rule = (struct course_zone_rule){0};
    if (!parse_name(&text, rule->abbreviation[0]) || !parse_time(&text, &west))
        return false;
    rule->offset[0] = rule->offset[1] = -west;
    if (!*text)
        return true;
    rule->has_daylight = true;
    rule->offset[1] = rule->offset[0] + 3600;
    if (!parse_name(&text, rule->abbreviation[1]))
        return false;
    if (*text && *text != ',') {
        if (!parse_time(&text, &west))
            return false;
        rule->offset[1] = -west;
    }
    return parse_change(&text, &rule->change[0]) && parse_change(&text, &rule->change[1]) && !*text;
}

/* Seconds since 1970 of a day of a year, counted from its first of January at 0. */
static int64_t year_start(int year) {
    struct tm date = {.tm_year = year - 1900, .tm_mday = 1};
    return timegm(&date);
}

static bool is_leap(int year) {
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

/* The local time, as if it were UTC, at which clocks change in a year. */
static int64_t change_in(const struct course_zone_change *change, int year) {
    if (change->kind == ZONE_DAY)
        return year_start(year) + (int64_t)change->day * DAY_SECONDS + change->seconds;
    if (change->kind == ZONE_JULIAN) /* 29 February is never counted */
        return year_start(year) +
               (int64_t)(change->day - 1 + (is_leap(year) && change->day >= 60)) * DAY_SECONDS +
               change->seconds;
    struct tm first = {.tm_year = year - 1900, .tm_mon = change->month - 1, .tm_mday = 1};
    int64_t start = timegm(&first);
    int day = (change->day - first.tm_wday + 7) % 7 + 7 * (change->week - 1); /* from 0 */
    static const int month_days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    int days = month_days[change->month - 1] + (change->month == 2 && is_leap(year));
    if (day >= days) /* the fifth is the last one, which may be the fourth */
        day -= 7;
    return start + (int64_t)day * DAY_SECONDS + change->seconds;
}

int course_zone_rule_at(const struct course_zone_rule *rule, int64_t instant) {
    if (!rule->has_daylight)
        return 0;
    time_t local = (time_t)(instant + rule->offset[0]);
    struct tm date;
    if (!gmtime_r(&local, &date))
        return 0;
    int year = date.tm_year + 1900;
    int64_t begin = change_in(&rule->change[0], year) - rule->offset[0];
    int64_t end = change_in(&rule->change[1], year) - rule->offset[1];
    if (begin < end)
        return instant >= begin && instant < end;
    return instant >= begin || instant < end;
}
