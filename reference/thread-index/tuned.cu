// A block writes 96 elements of four arrays, which are 96 groups of four elements: each thread
// writes one group with a 16-byte store, where the plain kernel stores four times. 96 is a multiple
// of four, so that groups stay within their block and aligned.
#define THREADS 96
#define GROUPS  (THREADS / 4)

__global__ void thread_index(int *__restrict__ block, int *__restrict__ thread,
                             int *__restrict__ warp, int *__restrict__ global, int n)
{
    int array = threadIdx.x / GROUPS;
    int t = threadIdx.x % GROUPS * 4;
    int i = blockIdx.x * THREADS + t;
    int *out = array == 0 ? block : array == 1 ? thread : array == 2 ? warp : global;
    int first = array == 0 ? blockIdx.x : array == 1 ? t : array == 2 ? t / 32 : i;
    int step = array == 1 || array == 3;
    if (i + 3 < n) {
        *reinterpret_cast<int4 *>(out + i) =
            make_int4(first, first + step, first + 2 * step, first + 3 * step);
    } else {
        for (int j = 0; i + j < n; j++)
            out[i + j] = first + j * step;
    }
}
