// sim --grid 1 --block 64 --arg i32*64=zero --arg i32*64=const:-1
// breadth-first search in a binary tree of 64 nodes, one level a turn
__global__ void k(int *queue, int *level) {
    __shared__ int head, tail;
    if (threadIdx.x == 0) {
        head = 0;
        tail = 1;
        queue[0] = 1;
        level[1] = 0;
    }
    __syncthreads();
    while (head < tail) {
        int at = head + threadIdx.x, end = tail;
        __syncthreads();
        if (threadIdx.x == 0)
            head = end;
        __syncthreads();
        if (at < end) {
            int node = queue[at];
            for (int child = 2 * node; child <= 2 * node + 1; child++)
                if (child < 64) {
                    level[child] = level[node] + 1;
                    queue[atomicAdd(&tail, 1)] = child;
                }
        }
        __syncthreads();
    }
}
__global__ void check(int *queue, int *level) {
    for (int i = 1; i < 64; i++)
        if (level[i] != 31 - __clz(i))
            __trap();
}
