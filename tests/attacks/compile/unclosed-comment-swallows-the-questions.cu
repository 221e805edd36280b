// warpgrade: dot
// aim: hide warpgrade's own code after the submission in a comment that is never closed
// defence: the submission is a file of its own, which a comment does not leave
// exercise: dot
// cases: one-block
// verdict: compile-error
__global__ void dot(int n, const float *a, const float *b, float *partial) {
}
#define BLOCK 256
/* and all that follows
