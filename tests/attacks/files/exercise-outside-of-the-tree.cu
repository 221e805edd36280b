// warpgrade: ../../../../../../../@WORK@/evil
// aim: be graded by an exercise of one's own, named in the first comment
// defence: an exercise's id has no slash and no dot
// exercise: saxpy
// setup: mkdir -p evil && cp "$SOURCE"/exercises/saxpy/exercise.yaml evil/
// verdict: none
// says: there is no exercise
__global__ void saxpy(int n, float alpha, const float *x, float *y) {}
