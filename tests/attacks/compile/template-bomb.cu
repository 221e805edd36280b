// warpgrade: saxpy
// aim: exhaust the compiler with templates that double
// defence: the compiler's time and memory
// once: yes
// verdict: compile-error
// says: does not compile within 10 s|more than 2048 MiB of memory
// within: 14
// One compiler at a time (macro-bomb.cu has two), and classes with much in them: it ends sooner.
// options: --jobs 1
template <int N, int M> struct bomb {
    static const long value = bomb<N - 1, 2 * M>::value + bomb<N - 1, 2 * M + 1>::value;
    template <class T> struct inner {
        bomb *outer;
        T mine;
    };
    inner<char> a;
    inner<short> b;
    inner<int> c;
    inner<long> d;
    virtual void f(inner<float> &);
    virtual void g(inner<double> &);
};
template <int M> struct bomb<0, M> {
    static const long value = M;
};
__device__ long boom = bomb<24, 0>::value;
__global__ void saxpy(int n, float alpha, const float *x, float *y) {}
