// warpgrade: saxpy
// aim: fill the grader's memory with a file that costs nothing on disk
// defence: the size is looked at before the file is read
// setup: truncate -s 10G "$FILE"
// verdict: none
// says: is too large
// within: 3
