// What scan must compute: sums start anew every 1024 elements and wrap around at 2^32.
void reference(int n, const unsigned* in, unsigned* out) {
    unsigned sum = 0;
    for (int i = 0; i < n; ++i) {
        if (i % 1024 == 0) sum = 0;
        sum += in[i];
        out[i] = sum;
    }
}
