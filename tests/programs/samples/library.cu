// Device code that the program loads while it runs (cudaLibrary*): from a text, and from a file that it writes itself.
#include "check.h"

#include <cstring>
#include <string>

// What nvcc made of:  __device__ int offset = 5;
//                     extern "C" __global__ void shift(int *x) { x[threadIdx.x] += offset; }
//                     extern "C" __global__ void twice(int *x) { x[threadIdx.x] *= 2; }
static const char text[] = R"(.version 7.0
.target sm_70
.address_size 64
.global .align 4 .u32 offset = 5;
// no .entry here
.visible .entry shift(.param .u64 p)
{
    .reg .b32 %r<4>;
    .reg .b64 %d<4>;
    ld.param.u64 %d1, [p];
    cvta.to.global.u64 %d2, %d1;
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %d3, %r1, 4;
    add.s64 %d2, %d2, %d3;
    ld.global.u32 %r2, [%d2];
    ld.global.u32 %r3, [offset];
    add.s32 %r2, %r2, %r3;
    st.global.u32 [%d2], %r2;
    ret;
}
.visible .entry twice(.param .u64 p)
{
    .reg .b32 %r<4>;
    .reg .b64 %d<4>;
    ld.param.u64 %d1, [p];
    cvta.to.global.u64 %d2, %d1;
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %d3, %r1, 4;
    add.s64 %d2, %d2, %d3;
    ld.global.u32 %r2, [%d2];
    shl.b32 %r2, %r2, 1;
    st.global.u32 [%d2], %r2;
    ret;
}
)";

static void show(const char *what, const int *x) {
    int back[4];
    CHECK(cudaMemcpy(back, x, sizeof back, cudaMemcpyDeviceToHost));
    printf("%s: %d %d %d %d\n", what, back[0], back[1], back[2], back[3]);
}

int main() {
    const int first[4] = {1, 2, 3, 4};
    int *x;
    CHECK(cudaMalloc(&x, sizeof first));
    CHECK(cudaMemcpy(x, first, sizeof first, cudaMemcpyHostToDevice));
    void *arguments[] = {&x};

    cudaLibrary_t library;
    cudaKernel_t shift, twice, none;
    CHECK(cudaLibraryLoadData(&library, text, nullptr, nullptr, 0, nullptr, nullptr, 0));
    CHECK(cudaLibraryGetKernel(&shift, library, "shift"));
    CHECK(cudaLibraryGetKernel(&twice, library, "twice"));
    CHECK(cudaLaunchKernel((const void *)shift, 1, 4, arguments, 0, nullptr));
    show("shifted", x);
    CHECK(cudaLaunchKernel((const void *)twice, 1, 4, arguments, 0, nullptr));
    show("twice", x);

    int *offset, value = 100;
    size_t bytes;
    CHECK(cudaLibraryGetGlobal((void **)&offset, &bytes, library, "offset"));
    CHECK(cudaMemcpy(offset, &value, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaLaunchKernel((const void *)shift, 1, 4, arguments, 0, nullptr));
    show("shifted by another", x);

    unsigned count = 0;
    cudaKernel_t kernels[2];
    CHECK(cudaLibraryGetKernelCount(&count, library));
    CHECK(cudaLibraryEnumerateKernels(kernels, 2, library));
    cudaFuncAttributes attributes;
    CHECK(cudaFuncGetAttributes(&attributes, (const void *)kernels[0]));
    printf("%u kernels; %zu bytes; static shared memory: %zu\n", count, bytes, attributes.sharedSizeBytes);
    printf("no such kernel: %s\n", cudaGetErrorName(cudaLibraryGetKernel(&none, library, "none")));
    (void)cudaGetLastError();
    printf("no such variable: %s\n", cudaGetErrorName(cudaLibraryGetGlobal((void **)&offset, &bytes, library, "none")));
    (void)cudaGetLastError();

    FILE *file = fopen("shift.ptx", "w");
    if (!file || fputs(text, file) < 0 || fclose(file))
        return 1;
    cudaLibrary_t second;
    CHECK(cudaLibraryLoadFromFile(&second, "shift.ptx", nullptr, nullptr, 0, nullptr, nullptr, 0));
    CHECK(cudaLibraryGetKernel(&shift, second, "shift"));
    CHECK(cudaLaunchKernel((const void *)shift, 1, 4, arguments, 0, nullptr));
    show("with a variable of its own", x);
    remove("shift.ptx");
    printf("no such file: %s\n",
           cudaGetErrorName(cudaLibraryLoadFromFile(&second, "none.ptx", nullptr, nullptr, 0, nullptr, nullptr, 0)));
    (void)cudaGetLastError();
    CHECK(cudaLibraryUnload(library));
    CHECK(cudaFree(x));
    return 0;
}
