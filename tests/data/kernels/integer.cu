// Whole numbers: hashes, checksums, random generators, bits, wide arithmetic, division.
#include <stdint.h>

__constant__ uint32_t nibbles[16] = {0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4, 0x4db26158, 0x5005713c,
                                     0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c, 0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c};
// CRC-32 of 64 bytes a thread: by table in constant memory, and by bit; Fletcher and FNV beside it.
extern "C" __global__ void checksums(const uint8_t* in, uint32_t* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const uint8_t* p = in + i * 64;
    uint32_t table = ~0u, bitwise = ~0u, a = 1, b = 0;
    uint64_t fnv = 14695981039346656037ull;
    for (int k = 0; k < 64; ++k) {
        const uint32_t c = p[k];
        table = nibbles[(table ^ c) & 15] ^ table >> 4;
        table = nibbles[(table ^ c >> 4) & 15] ^ table >> 4;
        bitwise ^= c;
        for (int bit = 0; bit < 8; ++bit) bitwise = bitwise >> 1 ^ (bitwise & 1 ? 0xedb88320u : 0);
        a = (a + c) % 65521;
        b = (b + a) % 65521;
        fnv = (fnv ^ c) * 1099511628211ull;
    }
    out[4 * i] = ~table;
    out[4 * i + 1] = ~bitwise;
    out[4 * i + 2] = b << 16 | a;
    out[4 * i + 3] = uint32_t(fnv ^ fnv >> 32);
}

__constant__ uint32_t rounds[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be,
    0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa,
    0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85,
    0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3,
    0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f,
    0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};
// The compression function of SHA-256 over one block of 16 words a thread, schedule in a local array.
extern "C" __global__ void sha256(const uint32_t* in, uint32_t* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    uint32_t w[16], s[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19}, h[8];
    const auto turn = [](uint32_t x, int n) { return __funnelshift_r(x, x, n); };
    for (int k = 0; k < 16; ++k) w[k] = in[i * 16 + k];
    for (int k = 0; k < 8; ++k) h[k] = s[k];
#pragma unroll 1
    for (int k = 0; k < 64; ++k) {
        const uint32_t x = w[(k + 1) & 15], y = w[(k + 14) & 15], now = w[k & 15];
        w[k & 15] = now + (turn(x, 7) ^ turn(x, 18) ^ x >> 3) + w[(k + 9) & 15] + (turn(y, 17) ^ turn(y, 19) ^ y >> 10);
        const uint32_t t1 = s[7] + (turn(s[4], 6) ^ turn(s[4], 11) ^ turn(s[4], 25)) + ((s[4] & s[5]) ^ (~s[4] & s[6])) + rounds[k] + now;
        const uint32_t t2 = (turn(s[0], 2) ^ turn(s[0], 13) ^ turn(s[0], 22)) + ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
        for (int j = 7; j > 0; --j) s[j] = s[j - 1];
        s[4] += t1;
        s[0] = t1 + t2;
    }
    for (int k = 0; k < 8; ++k) out[i * 8 + k] = h[k] + s[k];
}

// Philox 4x32-10, xorshift64*, PCG and a 64-bit LCG moved ahead by a thread's number.
extern "C" __global__ void random_numbers(uint32_t* out, uint32_t seed) {
    const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    uint32_t c[4] = {i, 0, seed, 7}, k0 = seed * 3 + 1, k1 = ~seed;
    for (int r = 0; r < 10; ++r) {
        const uint32_t h0 = __umulhi(0xD2511F53u, c[0]), l0 = 0xD2511F53u * c[0], h1 = __umulhi(0xCD9E8D57u, c[2]), l1 = 0xCD9E8D57u * c[2];
        c[0] = h1 ^ c[1] ^ k0, c[1] = l1, c[2] = h0 ^ c[3] ^ k1, c[3] = l0;
        k0 += 0x9E3779B9u, k1 += 0xBB67AE85u;
    }
    uint64_t x = (uint64_t(seed) << 32 | i) + 88172645463325252ull;
    for (int r = 0; r < 5; ++r) x ^= x >> 12, x ^= x << 25, x ^= x >> 27;
    x *= 0x2545F4914F6CDD1Dull;
    uint64_t a = 6364136223846793005ull, b = 1442695040888963407ull, state = seed;
    for (uint32_t n = i; n; n /= 2) {
        if (n & 1) state = state * a + b;
        b = b * (a + 1), a *= a;
    }
    const uint32_t pcg = uint32_t((state >> 18 ^ state) >> 27), turn = uint32_t(state >> 59);
    out[4 * i] = c[0] ^ c[1], out[4 * i + 1] = c[2] + c[3];
    out[4 * i + 2] = uint32_t(x >> 32) ^ uint32_t(x);
    out[4 * i + 3] = pcg >> turn | pcg << (-turn & 31);
}

extern "C" __global__ void bits(const uint32_t* in, uint32_t* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const uint32_t a = in[2 * i], b = in[2 * i + 1];
    const uint64_t wide = uint64_t(a) << 32 | b;
    uint32_t r = __popc(a) + __clz(b) * 33 + __ffs(int(a & b)) * 1089 + __brev(a ^ b);
    r ^= __popcll(wide) << 8 ^ __clzll(wide >> (b & 63)) << 16 ^ uint32_t(__brevll(wide) >> 7) ^ __ffsll((long long)(wide << (a & 63)));
    r += __funnelshift_l(a, b, a & 63) ^ __funnelshift_r(a, b, b & 31) ^ __funnelshift_lc(a, b, b & 63) ^ __byte_perm(a, b, b);
    uint32_t m = a & 0xffff;
    m = (m | m << 8) & 0x00ff00ff, m = (m | m << 4) & 0x0f0f0f0f, m = (m | m << 2) & 0x33333333, m = (m | m << 1) & 0x55555555;
    uint32_t gray = b ^ b >> 1, undone = gray;
    for (int s = 1; s < 32; s *= 2) undone ^= undone >> s;
    uint32_t field;
    asm("bfe.u32 %0, %1, 5, 11;" : "=r"(field) : "r"(a));
    asm("bfi.b32 %0, %1, %0, %2, 9;" : "+r"(field) : "r"(b), "r"(a & 15));
    out[i] = r + m * 3 + (undone == b) + field + (a & b | ~a & gray | m);
}

// Bytes and halves of a word at once.
extern "C" __global__ void packed(const uint32_t* in, uint32_t* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const uint32_t a = in[2 * i], b = in[2 * i + 1];
    uint32_t r = __vadd4(a, b) ^ __vsub2(a, b) ^ __vmaxs4(a, b) ^ __vminu2(a, b);
    r += __vabsdiffu4(a, b) + __vavgu4(a, b) + __vcmpgtu4(a, b) + __vseteq2(a, b) + __vsads4(a, b) + __vaddus4(a, b) + __vsubss2(a, b);
    out[i] = r + __sad(int(a), int(b), r) + __usad(a, b, 7) + __uhadd(a, b) + __rhadd(int(a), int(b)) + __mul24(a, b) + __umul24(a, b);
}

// 256-bit product of 128-bit numbers, 128-bit sums with carry, 64-bit high words.
extern "C" __global__ void wide(const uint64_t* in, uint64_t* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    uint32_t a[4], b[4], p[8] = {};
    for (int k = 0; k < 4; ++k) a[k] = uint32_t(in[4 * i + k / 2] >> k % 2 * 32), b[k] = uint32_t(in[4 * i + 2 + k / 2] >> k % 2 * 32);
    for (int j = 0; j < 4; ++j) {
        uint64_t carry = 0;
        for (int k = 0; k < 4; ++k) {
            const uint64_t t = uint64_t(a[j]) * b[k] + p[j + k] + carry;
            p[j + k] = uint32_t(t), carry = t >> 32;
        }
        p[j + 4] = uint32_t(carry);
    }
    const unsigned __int128 x = (unsigned __int128)in[4 * i] << 64 | in[4 * i + 1], y = (unsigned __int128)in[4 * i + 2] << 64 | in[4 * i + 3];
    const unsigned __int128 z = x + y * 3 - (x >> 5);
    uint32_t s[3] = {a[0], a[1], a[2]};
    asm("add.cc.u32 %0, %0, %3; addc.cc.u32 %1, %1, %4; addc.u32 %2, %2, %5;" : "+r"(s[0]), "+r"(s[1]), "+r"(s[2]) : "r"(b[0]), "r"(b[1]), "r"(b[2]));
    asm("mad.lo.cc.u32 %0, %2, %3, %0; madc.hi.u32 %1, %2, %3, %1;" : "+r"(s[0]), "+r"(s[1]) : "r"(a[3]), "r"(b[3]));
    uint64_t* o = out + 8 * i;
    for (int k = 0; k < 4; ++k) o[k] = uint64_t(p[2 * k + 1]) << 32 | p[2 * k];
    o[4] = uint64_t(z), o[5] = uint64_t(z >> 64);
    o[6] = __umul64hi(in[4 * i], in[4 * i + 2]) ^ uint64_t(__mul64hi((long long)in[4 * i + 1], (long long)in[4 * i + 3]));
    o[7] = (uint64_t(s[2]) << 32 | s[1]) ^ s[0];
}

// Quotients and remainders of every width; powers modulo a prime; greatest common divisors.
extern "C" __global__ void division(const int* in, long long* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int a = in[2 * i], b = in[2 * i + 1] | 1;
    const long long wideA = (long long)a * 1000003 + b, wideB = (long long)b * 77 | 1;
    long long r = a / b + a % b * 3ll + wideA / wideB + wideA % wideB;
    r += uint32_t(a) / uint32_t(b) + uint64_t(wideA) % uint64_t(wideB) + short(a) / (short(b) | 1) + a / 7 + a % 1000 + uint32_t(a) / 641;
    uint32_t x = uint32_t(a), y = uint32_t(b);
    while (y) {
        const uint32_t t = x % y;
        x = y, y = t;
    }
    uint64_t power = 1, base = uint32_t(a) % 1000000007u;
    for (uint32_t e = uint32_t(b) & 0xffff; e; e /= 2) {
        if (e & 1) power = power * base % 1000000007u;
        base = base * base % 1000000007u;
    }
    out[i] = r * 31 + x + (long long)(power << 20);
}
