void reference(int n, const unsigned* x, unsigned* y) {
    for (int i = 0; i < n; ++i) {
        unsigned h = x[i] * 0x9E3779B9u + unsigned(i);
        h ^= h >> 16;
        h *= 0x85EBCA6Bu;
        y[i] = h ^ h >> 13;
    }
}
