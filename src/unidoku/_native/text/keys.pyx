"""128-bit hashes of the cells of puzzles, and a set of them.

An entry takes 16 bytes and the table is at most three quarters full: 21 to 43 bytes per puzzle. Two
different puzzles are taken for the same with a chance of n * n / 2 ** 129 for n puzzles: 10 ** -21 for
a billion.
"""

cimport cython
from libc.stdint cimport int64_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy, memset

from unidoku._native.memory cimport check_starts, start_of

ctypedef unsigned char byte

cdef enum:
    SMALLEST = 1 << 12

cdef struct Key:
    uint64_t a
    uint64_t b


cdef inline uint64_t _mix(uint64_t x) noexcept nogil:
    """The finishing step of MurmurHash3: every bit of x reaches every bit of the result."""
    x ^= x >> 33
    x *= <uint64_t>0xFF51AFD7ED558CCD
    x ^= x >> 33
    x *= <uint64_t>0xC4CEB9FE1A85EC53
    return x ^ (x >> 33)


cdef inline byte _digit(byte cell, byte zero) noexcept nogil:
    """1 to 9; 0 for every empty symbol."""
    return <byte>(cell - zero) if <byte>(cell - zero) < 10 else 0


cdef inline Key _hash(const byte *t, byte zero, Key seed) noexcept nogil:
    """Pack sixteen cells into a word, four bits each, the same on processors of any order of bytes."""
    cdef Key key
    cdef uint64_t word
    cdef byte cells[96]
    cdef byte pairs[48]
    cdef byte *p
    cdef int i
    memcpy(cells, t, 81)
    memset(cells + 81, zero, 15)
    for i in range(48):  # without branches, so that the compiler vectorises it
        pairs[i] = _digit(cells[2 * i], zero) | _digit(cells[2 * i + 1], zero) << 4
    key.a = seed.a ^ <uint64_t>81
    key.b = seed.b
    for i in range(6):
        p = pairs + 8 * i  # most processors need one load
        word = (<uint64_t>p[0] | <uint64_t>p[1] << 8 | <uint64_t>p[2] << 16 | <uint64_t>p[3] << 24
                | <uint64_t>p[4] << 32 | <uint64_t>p[5] << 40 | <uint64_t>p[6] << 48 | <uint64_t>p[7] << 56)
        key.a = _mix(key.a ^ word) + key.b
        key.b = _mix(key.b + word * <uint64_t>0x9E3779B97F4A7C15) ^ key.a
    if key.a == 0 and key.b == 0:
        key.b = 1  # both zero is an empty slot
    return key


cdef inline Py_ssize_t _slot(const Key *table, Py_ssize_t size, Key key) noexcept nogil:
    """The place of a key in a table whose size is a power of two: where it is, or the empty slot for it."""
    cdef Py_ssize_t at = key.a & <uint64_t>(size - 1)
    while (table[at].a or table[at].b) and (table[at].a != key.a or table[at].b != key.b):
        at = (at + 1) & (size - 1)
    return at


def keys(const byte[::1] text, const int64_t[::1] starts, byte[::1] out, uint64_t seed_a=0, uint64_t seed_b=0,
         int zero=48):
    """Write the 128-bit hashes of puzzles: 16 bytes of `out` for each; seeds of 64 bits choose the hash."""
    cdef Py_ssize_t i, n = starts.shape[0]
    cdef Key seed, key
    seed.a, seed.b = seed_a, seed_b
    if out.shape[0] != 16 * n:
        raise ValueError("the hashes need 16 bytes per puzzle")
    check_starts(&starts[0], starts.shape[0], text.shape[0])
    with nogil:
        for i in range(n):
            key = _hash(&text[start_of(&starts[i], text.shape[0])], <byte>zero, seed)
            memcpy(&out[16 * i], &key, sizeof(Key))


cdef Py_ssize_t _group(const Key *keys, const int64_t *rows, Py_ssize_t n, int64_t *order, Py_ssize_t *table,
                       Py_ssize_t size, Py_ssize_t *first, Py_ssize_t *count) noexcept nogil:
    """Do the work of `repeated` with the keys of n rows, a table of zeros, whose size is a power of two, and memory."""
    cdef Py_ssize_t i, k, at, end = 0
    for i in range(n):
        at = keys[i].b & <uint64_t>(size - 1)
        while table[at] and (keys[table[at] - 1].a != keys[i].a or keys[table[at] - 1].b != keys[i].b):
            at = (at + 1) & (size - 1)
        if not table[at]:
            table[at] = i + 1
            count[i] = 0
        first[i] = table[at] - 1
        count[first[i]] += 1
    for i in range(n):
        k = first[i]
        if k != i:
            if count[k] >= 0:
                order[count[k]] = rows[i]
                count[k] += 1
        elif count[i] > 1 and (keys[i].a or keys[i].b):
            at, end = end, end + count[i]
            order[at] = ~rows[i]
            count[i] = at + 1  # from here on where the next one of the class goes
        else:
            count[i] = -1
    return end


def repeated(const byte[::1] keys, const int64_t[::1] rows, int64_t[::1] order):
    """Write which of some rows have a key, 16 bytes each, that is not zero and that another of these rows also has.

    Rows with one key are together, in the order that they had; the first of them has all bits inverted. Return the
    number of the rows.
    """
    cdef Py_ssize_t n = rows.shape[0], size = SMALLEST, end = 0, i
    cdef Py_ssize_t *memory
    cdef Key *own
    cdef uint64_t row
    if order.shape[0] < n:
        raise ValueError("the buffer of the rows is too small")
    if n == 0:
        return 0
    while size < 2 * n:
        size *= 2
    memory = <Py_ssize_t *>malloc((size + 2 * n) * sizeof(Py_ssize_t) + n * sizeof(Key))
    if memory == NULL:
        raise MemoryError
    own = <Key *>(memory + size + 2 * n)
    with nogil:
        for i in range(n):
            row = <uint64_t>rows[i]
            if row >= <uint64_t>keys.shape[0] // 16:
                end = -1
                break
            memcpy(own + i, &keys[16 * row], sizeof(Key))
        if end == 0:
            memset(memory, 0, size * sizeof(Py_ssize_t))
            end = _group(own, &rows[0], n, &order[0], memory, size, memory + size, memory + size + n)
        free(memory)
    if end < 0:
        raise ValueError("a row has no key")
    return end


def in_parts(const byte[::1] keys, int count):
    """Divide keys, 16 bytes each, into parts, in which equal keys are together.

    Return the rows, part by part and ascending in each, and where each part ends.
    """
    cdef Py_ssize_t[256] ends
    cdef Py_ssize_t[256] ats
    cdef Py_ssize_t n = keys.shape[0] // 16, i, end = 0
    cdef int part
    if not 1 <= count <= 256:
        raise ValueError("there must be 1 to 256 parts")
    made = bytearray(8 * n)
    cdef int64_t[::1] rows = memoryview(made).cast("q")
    memset(ends, 0, sizeof(ends))
    with nogil:
        for i in range(n):
            ends[keys[16 * i] % count] += 1
        for part in range(count):
            ats[part] = end
            end += ends[part]
            ends[part] = end
        for i in range(n):
            part = keys[16 * i] % count
            if ats[part] < ends[part]:  # also if another thread changes the keys
                rows[ats[part]] = i
                ats[part] += 1
    return memoryview(made).cast("q"), [ends[part] for part in range(count)]


@cython.final
cdef class KeySet:
    """A growing set of keys for one thread at a time."""

    cdef Key *_table
    cdef Py_ssize_t _size, _count

    def __cinit__(self):
        self._size = SMALLEST
        self._table = <Key *>calloc(SMALLEST, sizeof(Key))
        if self._table == NULL:
            raise MemoryError

    def __dealloc__(self):
        free(self._table)

    cdef bint _grow(self) noexcept nogil:
        cdef Py_ssize_t size = 2 * self._size, i
        cdef Key *table = <Key *>calloc(size, sizeof(Key))
        if table == NULL:
            return False
        for i in range(self._size):
            if self._table[i].a or self._table[i].b:
                table[_slot(table, size, self._table[i])] = self._table[i]
        free(self._table)
        self._table, self._size = table, size
        return True

    cdef int _add(self, Key key) noexcept nogil:
        """1 if it is new, 0 if it was there, -1 if memory is out."""
        cdef Py_ssize_t at = _slot(self._table, self._size, key)
        if self._table[at].a or self._table[at].b:
            return 0
        if 4 * (self._count + 1) > 3 * self._size:
            if not self._grow():
                return -1
            at = _slot(self._table, self._size, key)
        self._table[at] = key
        self._count += 1
        return 1

    def add(self, const byte[::1] keys, byte[::1] new):
        """Add keys, 16 bytes each and not zero; set the items of `new` to 1 for a new key, else 0."""
        cdef Py_ssize_t i, n = keys.shape[0] // 16
        cdef int done = 0
        cdef Key key
        if new.shape[0] < n:
            raise ValueError("the buffer of the answers is too small")
        with nogil:
            for i in range(n):
                memcpy(&key, &keys[16 * i], sizeof(Key))
                done = self._add(key)
                if done < 0:
                    break
                new[i] = done
        if done == -1:
            raise MemoryError
