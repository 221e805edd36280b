// warpgrade: saxpy
// aim: have host code run: a constructor, main()
// defence: only the device's side is compiled, and nothing of it runs on the host
// needs: nvcc
// once: yes
// verdict: wrong-answer
// never: host code ran
#include <cstdio>
#include <cstdlib>
__global__ void saxpy(int n, float alpha, const float *x, float *y) {}
struct runs_before_main {
    runs_before_main() {
        system("touch @WORK@/host-code-ran; echo host code ran >&2");
    }
} instance;
int main() {
    puts("host code ran");
    return 0;
}
