// What vector_add must compute, in double.
void reference(int n, const double* a, const double* b, double* c) {
    for (int i = 0; i < n; ++i) c[i] = a[i] + b[i];
}
