// warpgrade: saxpy
// aim: have the grader read a socket
// defence: only regular files are read
// setup: rm "$FILE" && perl -MIO::Socket::UNIX -e 'IO::Socket::UNIX->new(Local => $ENV{FILE}, Listen => 1) or die'
// verdict: none
// within: 3
