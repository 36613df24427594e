void reference(int n, const double* u, const double* v, const double* w, double* y) {
    for (int i = 0; i < n; ++i) y[i] = u[i] + v[i] - w[i];
}
