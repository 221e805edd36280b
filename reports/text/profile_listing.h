/* The listing of a profile. Private to reports/. */
#ifndef WARPGRADE_REPORTS_PROFILE_LISTING_H
#define WARPGRADE_REPORTS_PROFILE_LISTING_H

#include "reports/profile.h"
#include "reports/terminal.h"

void profile_listing(const struct terminal *t, const struct profile_report *report);

#endif
