void reference(int n, const double* x, double* y, double* table, unsigned* hits) {
    *hits += unsigned(n);
    for (int i = 0; i < n; ++i) y[i] = x[i] * table[i % 4];
}
