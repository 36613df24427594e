void reference(int n, const double* x, double* least, double* most, int* place) {
    for (int b = 0; 64 * b < n; ++b) {
        least[b] = most[b] = x[64 * b];
        place[b] = 64 * b;
        for (int i = 64 * b + 1; i < n && i < 64 * b + 64; ++i) {
            if (x[i] < least[b]) least[b] = x[i];
            if (x[i] > most[b]) {
                most[b] = x[i];
                place[b] = i;
            }
        }
    }
}
