// warpgrade: saxpy
// aim: have the report quote a file that only the grader may read
// defence: a submission that is a symbolic link is refused
// setup: rm "$FILE" && ln -s "$OTHER/saxpy.cu" "$FILE"
// verdict: none
// says: is a symbolic link, not a file
