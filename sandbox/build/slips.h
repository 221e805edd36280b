/* What to say to slips that many people make. Private to the room. */
#ifndef WARPGRADE_SANDBOX_BUILD_SLIPS_H
#define WARPGRADE_SANDBOX_BUILD_SLIPS_H

/* The advice for a compiler's error, or NULL. */
const char *slip_advice(const char *error);

#endif
