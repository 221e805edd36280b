/* Markdown for a terminal: statements of exercises and the pages of `explain`. */
#ifndef WARPGRADE_REPORTS_MARKDOWN_TEXT_H
#define WARPGRADE_REPORTS_MARKDOWN_TEXT_H

#include "reports/terminal.h"

/* Untrusted text: `# headings`, paragraphs, `- ` and `1. ` lists, tables, fenced and indented code,
 * **strong**, *emphasis* and `code`. Anything else is text. */
void markdown_text(const struct terminal *t, const char *markdown);

#endif
