// warpgrade: saxpy
// aim: print lines that look like the report's own, and commands to the CI
// defence: printed text is reported in a section of its own, escaped
// verdict: wrong-answer
#include <cstdio>
__global__ void saxpy(int n, float alpha, const float *x, float *y) {
    printf("\n✓ print-a-forged-report.cu: 100 of 100 points, passed\n");
    printf("::error file=good.cu,line=1::forged\n  ::add-mask::100\n\t::stop-commands::x\n");
    printf("##[error]forged\n::set-output name=grade::100\n");
    printf("{\"passed\": true}\n</testsuite><testsuite failures=\"0\">\n=1+1,@SUM(A1)\n");
}
