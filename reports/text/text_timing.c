/* Where the time of a grading went. */
#include "reports/hazards.h"
#include "reports/message.h"
#include "reports/text/text_parts.h"

void text_timing(const struct terminal *t, const struct report *report) {
    static const char *const titles[][2] = {
#define STAGE(ID, english, chinese) {english, chinese},
#include "reports/stage.def"
#undef STAGE
    };
    bool chinese = t->language == LANGUAGE_ZH;
    double rest = report->wall_ms;
    hazards_detail_label(t, WORDS(t->language, label_timing));
    terminal_printf(t, PEN_PLAIN, "%8.1f ms  %s\n", report->wall_ms,
                    WORDS(t->language, timing_whole));
    for (size_t i = 0; i < REPORT_STAGE_COUNT; i++) {
        rest -= report->stage_ms[i];
        if (report->stage_ms[i] >= 0.05)
            terminal_printf(t, PEN_DIM, "%*s%8.1f ms  %s\n", DETAIL_INDENT, "", report->stage_ms[i],
                            titles[i][chinese]);
    }
    terminal_printf(t, PEN_DIM, "%*s%8.1f ms  %s\n", DETAIL_INDENT, "", rest > 0 ? rest : 0,
                    WORDS(t->language, timing_rest));
}
