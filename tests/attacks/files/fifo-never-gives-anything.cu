// warpgrade: saxpy
// aim: have the grader wait for ever for a FIFO's writer
// defence: only regular files are read, and opening one never waits
// setup: rm "$FILE" && mkfifo "$FILE"
// verdict: none
// says: not a file
// within: 3
