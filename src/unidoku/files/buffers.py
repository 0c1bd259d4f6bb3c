"""Memory of texts that is used again: who takes it, and who gives it back.

================  ==========================================  ===============================================
text              taken                                       given back
================  ==========================================  ===============================================
of a chunk        by `TextReader.chunks`, which reads into    by the batches of the chunk, when a worker asks
                  it, in the calling thread                   for the one after the last: a batch and columns
                                                              in its text are valid until then
of rows           by the native renderer in a worker,         by `TextWriter.write` in the calling thread,
                  through `TextWriter.render`                 when the file has it
================  ==========================================  ===============================================

After an error or a cancelled run a buffer is not given back, and Python frees it.  Each input and each output
has a pool of its own, which ends with it.
"""

from __future__ import annotations

from contextlib import suppress

from unidoku.native import cpu


class BufferPool:
    """Free buffers, shared by threads."""

    def __init__(self) -> None:
        self._free: list[bytearray] = []

    def allocate(self, size: int) -> bytearray:
        """Return a buffer of at least `size` bytes with undefined content."""
        with suppress(IndexError):
            while True:
                buffer = self._free.pop()
                if len(buffer) >= size:  # a smaller one is dropped
                    cpu.spoil(buffer)
                    return buffer
        return bytearray(size + size // 16)  # so that similar sizes can share it

    def release(self, buffer: object) -> None:
        """Put a buffer of `allocate` back into the pool; ignore objects that are no bytearray."""
        if isinstance(buffer, bytearray):
            self._free.append(buffer)


def keep_freed_memory() -> None:
    """Let the memory that a chunk frees serve the next one.

    The allocator of glibc gives back blocks that are larger than any that was freed before (mallopt(3),
    M_MMAP_THRESHOLD), and the page faults of new ones took a tenth of the time of convert.  Nothing touches
    the block that is freed here, and the output of most chunks is smaller.
    """
    bytes(2 << 20)
