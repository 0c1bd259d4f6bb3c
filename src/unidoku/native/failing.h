/* Included before everything else in a build with UNIDOKU_FAIL_ALLOC=1 (.ci/garbage). Each allocation of a native
   module lowers the number at the address UNIDOKU_ALLOCATIONS, which the tests set; the one that makes it 0 fails. */
#ifndef UNIDOKU_FAILING_H
#define UNIDOKU_FAILING_H
#include <stdlib.h>

__attribute__((unused)) static int fails(void) {
  static long none, *volatile left;
  if (left == NULL) {
    const char *address = getenv("UNIDOKU_ALLOCATIONS");
    left = address ? (long *)strtoull(address, NULL, 10) : &none;
  }
  return __atomic_sub_fetch(left, 1, __ATOMIC_RELAXED) == 0;
}

#define malloc(size) (fails() ? NULL : malloc(size))
#define calloc(count, size) (fails() ? NULL : calloc(count, size))
#define realloc(memory, size) (fails() ? NULL : realloc(memory, size))
#endif
