void reference(int m, int n, int k, const double* a, const double* b, double* c) {
    for (int r = 0; r < m; ++r)
        for (int s = 0; s < n; ++s) {
            c[r * n + s] = 0;
            for (int i = 0; i < k; ++i) c[r * n + s] += a[r * k + i] * b[i * n + s];
        }
}
