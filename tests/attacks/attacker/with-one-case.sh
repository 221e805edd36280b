#!/bin/sh
# warpgrade with the exercises of tests/attacks/home, for cases that the e2e runner runs.
WARPGRADE_HOME=$SOURCE/tests/attacks/home exec "$WARPGRADE_REAL" "$@"
