// warpgrade: saxpy
// aim: have the grader walk a folder that leads into itself
// defence: a folder is looked through one level deep, and links in it are refused
// setup: rm "$FILE" && mkdir "$FILE" && ln -s .. "$FILE/saxpy.cu" && ln -s "$FILE" "$FILE/up.cu"
// verdict: none
// says: is a symbolic link, not a file
