void reference(int n, int, const double* x, double*, double* out) {
    *out = 0;
    for (int i = 0; i < n; ++i) *out += x[i];
}
