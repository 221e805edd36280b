// What a launch costs: nothing happens here.
__global__ void run() {}
