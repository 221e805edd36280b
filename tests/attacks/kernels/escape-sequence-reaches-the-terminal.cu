// warpgrade: saxpy
// aim: steer the instructor's terminal from printf
// defence: reports/escape.c: control characters are shown as \x1b
// verdict: wrong-answer
#include <cstdio>
__global__ void saxpy(int n, float alpha, const float *x, float *y) {
    printf("\033[2J\033[31m\033]0;title\007\033]52;c;cm0=\007\r\b\b\b passed \x9b" "31m \x07\n");
    printf("\xff\xfe\xc0\xaf \xe2\x80\xae desrever \xe2\x81\xa6 \xed\xa0\x80\n");
}
