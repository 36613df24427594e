void reference(int n, const unsigned* values, unsigned* counts) {
    for (int i = 0; i < n; ++i) ++counts[values[i]];
}
