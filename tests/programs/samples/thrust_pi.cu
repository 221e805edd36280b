// Thrust: transform_reduce over counting iterators, zip iterators, a universal vector.
#include "check.h"

#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/inner_product.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/transform_reduce.h>
#include <thrust/tuple.h>
#include <thrust/universal_vector.h>

struct Inside {
    __host__ __device__ unsigned operator()(unsigned thread) const {
        unsigned state = thread * 747796405u + 2891336453u, count = 0;
        for (int i = 0; i < 50; i++) {
            state = state * 1664525u + 1013904223u;
            float x = (state >> 8) / 16777216.0f;
            state = state * 1664525u + 1013904223u;
            float y = (state >> 8) / 16777216.0f;
            count += x * x + y * y < 1;
        }
        return count;
    }
};

struct Length {
    __host__ __device__ double operator()(thrust::tuple<double, double> t) const {
        return thrust::get<0>(t) * thrust::get<0>(t) + thrust::get<1>(t) * thrust::get<1>(t);
    }
};

int main() {
    const int n = 3000;
    thrust::counting_iterator<unsigned> first(0);
    unsigned inside = thrust::transform_reduce(thrust::device, first, first + n, Inside(), 0u, thrust::plus<unsigned>());
    double pi = 4.0 * inside / (n * 50.0);
    printf("inside %u: pi is %s\n", inside, pi > 3.12 && pi < 3.16 ? "near" : "FAR");
    thrust::device_vector<double> x(100, 3.0), y(100, 4.0);
    auto pairs = thrust::make_zip_iterator(thrust::make_tuple(x.begin(), y.begin()));
    printf("%g\n", thrust::transform_reduce(pairs, pairs + 100, Length(), 0.0, thrust::plus<double>()));
    printf("%g\n", thrust::inner_product(x.begin(), x.end(), y.begin(), 0.0));
    thrust::universal_vector<int> shared(50, 2);
    shared[3] = 40;
    int sum = thrust::reduce(thrust::device, shared.begin(), shared.end());
    printf("%d\n", sum);
}
