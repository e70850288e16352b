#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <stdlib.h>
#include <fcntl.h>
#include <unistd.h>
#include <sys/mman.h>
typedef unsigned long long P;
static void *(*real)(void *, const char *);
static void *lib;
static unsigned long long *c;
#define up c[0]
#define down c[1]
static int (*h2d)(P, const void *, size_t, void *), (*d2h)(void *, P, size_t, void *), (*any)(P, P, size_t, void *), (*two)(const void *, void *), (*attr)(void *, int, P);
static void begin(void) { int f = open(getenv("BUS_COUNTS"), O_RDWR | O_CREAT | O_TRUNC, 0644); if (ftruncate(f, 4096)) abort(); c = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, f, 0); }
static int host(P p) { unsigned t = 1; if (!attr) attr = real(lib, "cuPointerGetAttribute"); if (attr(&t, 2, p)) return 1; return t == 1; }
static int w_h2d(P a, const void *b, size_t n, void *s) { __sync_fetch_and_add(&up, n); return h2d(a, b, n, s); }
static int w_d2h(void *a, P b, size_t n, void *s) { __sync_fetch_and_add(&down, n); return d2h(a, b, n, s); }
static void count(P to, P from, size_t n) { int a = host(to), b = host(from); if (b && !a) __sync_fetch_and_add(&up, n); if (a && !b) __sync_fetch_and_add(&down, n); }
static int w_any(P a, P b, size_t n, void *s) { count(a, b, n); return any(a, b, n, s); }
struct two { size_t sx, sy; int st; const void *sh; P sd; void *sa; size_t sp; size_t dx, dy; int dt; void *dh; P dd; void *da; size_t dp, w, h; };
static int w_two(const struct two *t, void *s) { count(t->dd, t->sd, t->w * t->h); return two(t, s); }
void *dlsym(void *h, const char *n) {
    if (!real) { real = dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.2.5"); begin(); }
    void *p = real(h, n);
    if (!p) return p;
    if (!strcmp(n, "cuMemcpyHtoDAsync_v2")) { lib = h; h2d = p; return w_h2d; }
    if (!strcmp(n, "cuMemcpyDtoHAsync_v2")) { lib = h; d2h = p; return w_d2h; }
    if (!strcmp(n, "cuMemcpyAsync")) { lib = h; any = p; return w_any; }
    if (!strcmp(n, "cuMemcpy2DAsync_v2")) { lib = h; two = p; return w_two; }
    return p;
}
