// warpgrade: saxpy
// aim: have the grader choke on 60 MB that are no text
// defence: what is no text is graded as a compile error, unseen by any compiler
// setup: truncate -s 60M "$FILE"
// verdict: compile-error
// within: 5
