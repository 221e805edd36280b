/* See home_show.h. */
#include "grader/cli/home_show.h"

#include "reports/escape.h"

#include <string.h>

enum { MOST_IDS = 8 };

void home_show_ids(const struct id_list *ids, enum language language, struct text *out) {
    bool zh = language == LANGUAGE_ZH;
    size_t shown = ids->count > MOST_IDS ? MOST_IDS : ids->count;
    for (size_t i = 0; i < shown; i++)
        text_printf(out, "%s%s", i == 0 ? "" : zh ? "、" : ", ", ids->items[i]);
    if (shown < ids->count)
        text_printf(out, zh ? " 等 %zu 个" : " and %zu more", zh ? ids->count : ids->count - shown);
}

void home_show_notes(const struct homes_view *view, enum language language, struct text *out) {
    bool zh = language == LANGUAGE_ZH;
    cleanup_text struct text notes = {0};
    for (size_t i = 0; i < view->homes.count; i++) {
        const struct home_view *home = &view->items[i];
        const char *folder = view->homes.items[i].folder;
        if (home->hidden.count) {
            text_printf(&notes, zh ? "%s 里被遮住的题目：" : "hidden in %s: ", folder);
            home_show_ids(&home->hidden, language, &notes);
            text_append(&notes,
                        zh ? "（前面的题库已有同名题目）\n" : " (an earlier home has that, too)\n");
        }
        if (home->bare.count) {
            text_append(&notes, zh ? "本机没有参考实现的题目：" : "without a reference here: ");
            home_show_ids(&home->bare, language, &notes);
            text_append(&notes, zh ? "（`grade` 只查找错误，不比对结果）\n"
                                   : " (`grade` looks for hazards and compares nothing)\n");
        }
    }
    escape_terminal(out, text_string(&notes), notes.length, false);
}
