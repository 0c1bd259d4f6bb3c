"""Detect the instruction sets of this processor and operating system; name the compiler, and how it was used."""

from unidoku._native.garbage cimport spoil as spoil_memory

cdef extern from "cpu.h" nogil:
    bint cpu_runs_avx2()
    bint cpu_runs_avx512()
    const char* CPU_COMPILER
    int CPU_COMPILER_MAJOR
    int CPU_COMPILER_MINOR


def usable():
    """Return the instruction sets that can run on this machine, best first; they may not all be compiled."""
    return _usable


def compiler():
    """Return the compiler of the native modules with its version, such as ``Clang 22.1``."""
    return f"{CPU_COMPILER.decode()} {CPU_COMPILER_MAJOR}.{CPU_COMPILER_MINOR}"


def spoil(unsigned char[::1] buffer not None):
    """Fill a buffer that is used again with garbage, in a build with UNIDOKU_GARBAGE=1; otherwise do nothing."""
    if buffer.shape[0]:
        spoil_memory(&buffer[0], buffer.shape[0])


# Asked once: on a virtual machine, the processor takes a third of a millisecond to answer.
cdef tuple _usable = (*(("avx512",) if cpu_runs_avx512() else ()), *(("avx2",) if cpu_runs_avx2() else ()), "base")
