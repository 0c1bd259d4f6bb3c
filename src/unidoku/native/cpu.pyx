"""What this processor and its operating system can run."""

__all__ = ["usable"]

cdef extern from "cpu.h" nogil:
    bint cpu_runs_avx2()
    bint cpu_runs_avx512()


def usable():
    """Instruction sets of the lanes kernel that can run here, best first.

    Returns
    -------
    tuple of str
        Of ``avx512``, ``avx2``, ``base``; whether a module was compiled for each is another question.
    """
    names = []
    if cpu_runs_avx512():
        names.append("avx512")
    if cpu_runs_avx2():
        names.append("avx2")
    return (*names, "base")
