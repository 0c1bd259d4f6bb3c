/* Which instruction sets the processor has and the operating system lets programs use. */
#ifndef UNIDOKU_CPU_H
#define UNIDOKU_CPU_H

#include <stdint.h>

#ifdef __clang__ /* Apple's versions are not LLVM's */
#ifdef __apple_build_version__
#define CPU_COMPILER "Apple Clang"
#else
#define CPU_COMPILER "Clang"
#endif
enum { CPU_COMPILER_MAJOR = __clang_major__, CPU_COMPILER_MINOR = __clang_minor__ };
#else
#define CPU_COMPILER "GCC"
enum { CPU_COMPILER_MAJOR = __GNUC__, CPU_COMPILER_MINOR = __GNUC_MINOR__ };
#endif

#if defined(__x86_64__) || defined(_M_X64)
#include <cpuid.h>

typedef struct {
  uint32_t eax, ebx, ecx, edx;
} CpuLeaf;

static CpuLeaf cpu_leaf(uint32_t leaf) {
  CpuLeaf r = {0, 0, 0, 0};
  __get_cpuid_count(leaf, 0, &r.eax, &r.ebx, &r.ecx, &r.edx); /* leaves zeros where there is no such leaf */
  return r;
}

/* Register states that the operating system saves between tasks; 0 if programs may not ask. */
static uint32_t cpu_saved_states(void) {
  uint32_t low, high;
  if (!(cpu_leaf(1).ecx >> 27 & 1)) return 0; /* OSXSAVE */
  __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return low;
}

static int cpu_has(uint32_t word, uint32_t bits) { return (word & bits) == bits; }

static int cpu_runs_avx2(void) {
  const uint32_t popcnt = 1u << 23, avx = 1u << 28, lzcnt = 1u << 5;
  const uint32_t bmi1 = 1u << 3, avx2 = 1u << 5, bmi2 = 1u << 8;
  return cpu_has(cpu_saved_states(), 0x06) && cpu_has(cpu_leaf(1).ecx, popcnt | avx) &&
         cpu_has(cpu_leaf(7).ebx, bmi1 | avx2 | bmi2) && cpu_has(cpu_leaf(0x80000001u).ecx, lzcnt);
}

/* Ice Lake's set; Zen 4 also has it. */
static int cpu_runs_avx512(void) {
  const uint32_t f = 1u << 16, dq = 1u << 17, cd = 1u << 28, bw = 1u << 30, vl = 1u << 31;
  const uint32_t vbmi = 1u << 1, vbmi2 = 1u << 6, gfni = 1u << 8;
  const uint32_t vnni = 1u << 11, bitalg = 1u << 12, vpopcntdq = 1u << 14;
  return cpu_runs_avx2() && cpu_has(cpu_saved_states(), 0xE6) && cpu_has(cpu_leaf(7).ebx, f | dq | cd | bw | vl) &&
         cpu_has(cpu_leaf(7).ecx, vbmi | vbmi2 | gfni | vnni | bitalg | vpopcntdq);
}

#else

static int cpu_runs_avx2(void) { return 0; }
static int cpu_runs_avx512(void) { return 0; }

#endif
#endif
