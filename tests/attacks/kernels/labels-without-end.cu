// warpgrade: saxpy
// aim: make the tables of the PTX reader quadratic with fifty thousand labels of inline assembly
// defence: labels are looked up by a hash, and the compiler and the simulator have time limits
// setup: awk 'BEGIN { print "// warpgrade: saxpy\n__global__ void saxpy(int n, float alpha,
//     const float *x, float *y) { asm volatile(\"\\n\\"; for (i = 0; i < 50000; i++) print "$L" i ":" "\\n\\";
//     print "\"); }" }' >"$FILE"
// verdict: wrong-answer
// within: 8
