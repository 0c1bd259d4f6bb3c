"""Write rows of named columns as text: tab-separated lines, CSV (also with tabs) and JSON lines.

A column is a tuple, as `unidoku._table.column.Column.native` makes it.  No Python object is made per row, and the GIL
is released while rows are written.
"""

from functools import lru_cache

from cpython.bytes cimport PyBytes_AS_STRING
from libc.stdint cimport int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memmove

from unidoku._native.checks cimport invariant
from unidoku._native.text.columns cimport ABSENT, AT_LEAST, JSON, MISSING, TEXT

include "cells.pxi"

cdef extern from *:
    "#define EACH 0x0101010101010101u"  # 1 in each of eight bytes
    const uint64_t EACH

cdef enum:
    TXT
    CSV
    TSV
    JSONL

cdef enum:  # what a column holds, see KINDS
    CELLS
    TEXTS
    SIGNED
    UNSIGNED
    FLAGS
    WORDS
    LISTS

FORMS = {"txt": TXT, "csv": CSV, "tsv": TSV, "jsonl": JSONL}
KINDS = {
    "cells": CELLS, "texts": TEXTS, "signed": SIGNED, "unsigned": UNSIGNED, "flags": FLAGS,
    "words": WORDS, "lists": LISTS,
}

cdef struct Field:
    int kind
    uint8_t zero
    bint safe  # no word has a character that some form escapes
    const uint8_t *text
    const int64_t *starts
    const int64_t *ends
    const uint64_t *numbers
    const uint8_t *states  # what each value is; NULL: none is missing
    const uint8_t *codes  # the word of each row, or
    const uint16_t *wide_codes
    const uint8_t *words  # all words one after the other
    Py_ssize_t widest  # bytes of the longest word
    Field *items  # the values of lists, which `starts` separates
    const char *head  # the JSON key
    Py_ssize_t head_size


cdef inline char *_put(char *out, const char *text, Py_ssize_t size) noexcept nogil:
    # a short text as two parts that overlap, where a call would take longer; an empty one may have no address
    if size > 16:
        memcpy(out, text, size)
    elif size >= 8:
        memcpy(out, text, 8)
        memcpy(out + size - 8, text + size - 8, 8)
    elif size >= 4:
        memcpy(out, text, 4)
        memcpy(out + size - 4, text + size - 4, 4)
    elif size >= 2:
        memcpy(out, text, 2)
        memcpy(out + size - 2, text + size - 2, 2)
    elif size:
        out[0] = text[0]
    return out + size


cdef inline bint _above_comma(const uint8_t *text, Py_ssize_t size) noexcept nogil:
    """Whether all bytes are above 44, a comma: none is the reason for quotes in CSV."""
    cdef uint64_t eight, low = 0
    cdef uint32_t four, last
    cdef Py_ssize_t i
    if size >= 8:
        for i in range(0, size - 7, 8):
            memcpy(&eight, text + i, 8)
            low |= (eight - EACH * 45) & ~eight
        memcpy(&eight, text + size - 8, 8)
        low |= (eight - EACH * 45) & ~eight
    elif size >= 4:
        memcpy(&four, text, 4)
        memcpy(&last, text + size - 4, 4)
        eight = <uint64_t>four << 32 | last
        low = (eight - EACH * 45) & ~eight
    else:
        for i in range(size):
            low |= <uint64_t>(text[i] < 45) << 7
    return low & EACH << 7 == 0


cdef inline char *_char(char *out, char c) noexcept nogil:
    out[0] = c
    return out + 1


cdef inline char *_number(char *out, uint64_t value) noexcept nogil:
    cdef int size = 1, i
    cdef uint64_t least = 10  # with one more digit
    while size < 20 and value >= least:
        least *= 10
        size += 1
    for i in range(size - 1, -1, -1):  # a copy of bytes that were just written would wait for them
        out[i] = 48 + <char>(value % 10)
        value //= 10
    return out + size


cdef char *_plain(char *out, const uint8_t *text, Py_ssize_t size) noexcept nogil:
    """A text for a tab-separated line: only line ends are escaped."""
    if _above_comma(text, size):
        return _put(out, <const char *>text, size)
    cdef Py_ssize_t i
    for i in range(size):
        if text[i] == 10 or text[i] == 13:
            out[0] = 92
            out[1] = 110 if text[i] == 10 else 114
            out += 2
        else:
            out[0] = text[i]
            out += 1
    return out


cdef inline char *_csv(char *out, const uint8_t *text, Py_ssize_t size, char comma) noexcept nogil:
    """A CSV field, quoted if necessary; ``comma`` separates fields, and a header with ``#`` would be a comment."""
    if _above_comma(text, size):
        return _put(out, <const char *>text, size)
    cdef Py_ssize_t i
    cdef bint quoted = text[0] == 35
    cdef uint8_t c
    for i in range(size):
        c = text[i]
        if c <= 44 and (c == 34 or c == <uint8_t>comma or c == 10 or c == 13):  # 44, a comma, is the largest
            quoted = True
            break
    if not quoted:
        return _put(out, <const char *>text, size)
    out[0] = 34
    out += 1
    for i in range(size):
        if text[i] == 34:
            out[0] = 34
            out += 1
        out[0] = text[i]
        out += 1
    out[0] = 34
    return out + 1


cdef char *_alone(char *begin, char *end) noexcept nogil:
    """Quote a field that is the whole row, if it is empty or blank: a blank line would not be a record."""
    cdef char *at = begin
    while at < end:
        if at[0] != 32 and not 9 <= at[0] <= 13:
            return end
        at += 1
    memmove(begin + 1, begin, end - begin)
    begin[0] = end[1] = 34
    return end + 2


cdef inline int _sequence(const uint8_t *t, Py_ssize_t left) noexcept nogil:
    """The length of the UTF-8 character at t (two to four bytes), 0 if there is none."""
    cdef int n, i
    cdef uint8_t c = t[0], low = 0x80, high = 0xBF
    if 0xC2 <= c <= 0xDF:
        n = 2
    elif 0xE0 <= c <= 0xEF:
        n = 3
        if c == 0xE0:
            low = 0xA0
        elif c == 0xED:
            high = 0x9F
    elif 0xF0 <= c <= 0xF4:
        n = 4
        if c == 0xF0:
            low = 0x90
        elif c == 0xF4:
            high = 0x8F
    else:
        return 0
    if left < n or not low <= t[1] <= high:
        return 0
    for i in range(2, n):
        if t[i] & 0xC0 != 0x80:
            return 0
    return n


cdef char *_json(char *out, const uint8_t *text, Py_ssize_t size) noexcept nogil:
    """The inside of a JSON string; bytes that are not UTF-8 become the replacement character."""
    cdef Py_ssize_t i = 0
    cdef uint8_t c
    cdef int n
    cdef const char *hexa = "0123456789abcdef"
    while i < size:
        c = text[i]
        n = 1
        if c >= 0x80:
            n = _sequence(text + i, size - i)
            if n:
                out = _put(out, <const char *>text + i, n)
            else:
                n = 1
                out = _put(out, "\xef\xbf\xbd", 3)
        elif c == 34 or c == 92:
            out[0] = 92
            out[1] = c
            out += 2
        elif c < 32:
            out = _put(out, "\\u00", 4)
            out[0] = hexa[c >> 4]
            out[1] = hexa[c & 15]
            out += 2
        else:
            out[0] = c
            out += 1
        i += n
    return out


cdef inline char *_text(char *out, const uint8_t *text, Py_ssize_t size, int form) noexcept nogil:
    """A text in the manner of the form, in quotes in JSON."""
    if form == JSONL:
        return _char(_json(_char(out, 34), text, size), 34)
    if form == TXT:
        return _plain(out, text, size)
    return _csv(out, text, size, 44 if form == CSV else 9)


cdef inline int _code(const Field *f, Py_ssize_t i) noexcept nogil:
    return f.codes[i] if f.codes != NULL else f.wide_codes[i]


cdef inline char *_word(char *out, const Field *f, Py_ssize_t i, int state, int form) noexcept nogil:
    cdef int code = _code(f, i)
    cdef int64_t begin = f.starts[code]
    cdef Py_ssize_t size = f.ends[code] - begin
    if f.safe and form != JSONL or state == JSON:
        return _put(out, <const char *>f.words + begin, size)
    if f.safe:
        return _char(_put(_char(out, 34), <const char *>f.words + begin, size), 34)
    return _text(out, f.words + begin, size, form)


cdef inline char *_cells(char *out, const uint8_t *cells, uint8_t zero, int form) noexcept nogil:
    """The 81 cells of a puzzle, in quotes in JSON."""
    if form == JSONL:
        out = _char(out, 34)
    write_cells(<uint8_t *>out, cells, zero)
    out += 81
    return _char(out, 34) if form == JSONL else out


cdef inline char *_item(char *out, const Field *f, Py_ssize_t i, int state, int form) noexcept nogil:
    """Value i, which is there and a text, a word or a number, without punctuation around it."""
    cdef uint64_t number
    if f.kind == WORDS:
        return _word(out, f, i, state, form)
    if f.kind == TEXTS:
        if (state == JSON or state == AT_LEAST) and form == JSONL:
            return _put(out, <const char *>f.text + f.starts[i], f.ends[i] - f.starts[i])
        out = _text(out, f.text + f.starts[i], f.ends[i] - f.starts[i], form)
        return _char(out, 43) if state == AT_LEAST and form == TXT else out
    number = f.numbers[i]
    if f.kind == SIGNED and <int64_t>number < 0:
        out = _char(out, 45)
        number = 0 - number
    out = _number(out, number)
    if state == AT_LEAST and form == TXT:
        out = _char(out, 43)
    return out


cdef char *_list(char *out, const Field *f, Py_ssize_t i, int form) noexcept nogil:
    """List i: in brackets with commas in JSON, with spaces in other forms."""
    cdef Py_ssize_t k
    if form == JSONL:
        out = _char(out, 91)
    for k in range(f.starts[i], f.starts[i + 1]):
        if k > f.starts[i]:
            out = _put(out, ", ", 2) if form == JSONL else _char(out, 32)
        out = _item(out, f.items, k, TEXT, form)
    return _char(out, 93) if form == JSONL else out


cdef inline char *_value(char *out, const Field *f, Py_ssize_t i, int state, int form) noexcept nogil:
    """Value i, which is there, without punctuation around it."""
    if f.kind == CELLS:
        return _cells(out, f.text + f.starts[i], f.zero, form)
    if f.kind == FLAGS:
        return _put(out, "true", 4) if f.text[i] else _put(out, "false", 5)
    if f.kind == LISTS:
        return _list(out, f, i, form)
    return _item(out, f, i, state, form)


cdef inline char *_row(char *out, const Field *fields, int count, int always, Py_ssize_t row, int form) noexcept nogil:
    cdef const Field *f
    cdef int k, state
    cdef bint first = True
    cdef char *begin = out
    if form == JSONL:
        out = _char(out, 123)
    for k in range(count):
        f = fields + k
        state = TEXT if f.states == NULL else f.states[row]
        if state == ABSENT and form == JSONL:
            continue
        if k >= always and (state == MISSING or state == ABSENT):
            continue
        if not first:
            out = _put(out, ", ", 2) if form == JSONL else _char(out, 44 if form == CSV else 9)
        first = False
        if form == JSONL:
            out = _put(out, f.head, f.head_size)
        if state != MISSING and state != ABSENT:
            out = _value(out, f, row, state, form)
        elif form == JSONL:
            out = _put(out, "null", 4)
        elif f.kind == TEXTS:  # empty, or a text for forms that have no null
            out = _text(out, f.text + f.starts[row], f.ends[row] - f.starts[row], form)
    if count == 1 and (form == CSV or form == TSV):
        out = _alone(begin, out)
    return _put(out, "}\n", 2) if form == JSONL else _char(out, 10)


cdef class _Table:
    """The columns as C pointers, and what keeps their buffers alive."""
    cdef Field *fields
    cdef Field *items  # the values of lists
    cdef int count
    cdef list held
    cdef object text  # of the last texts
    cdef const uint8_t *octets_of_text
    cdef Py_ssize_t size
    cdef Py_ssize_t longest  # bytes that the rows take at most

    def __cinit__(self, Py_ssize_t columns):
        self.held = []
        self.fields = <Field *>calloc(2 * columns + 1, sizeof(Field))
        if self.fields == NULL:
            raise MemoryError
        self.items = self.fields + columns

    def __dealloc__(self):
        free(self.fields)

    cdef const uint8_t *octets(self, object buffer, Py_ssize_t least) except? NULL:
        cdef const uint8_t[::1] view = buffer
        self.held.append(view)
        if view.shape[0] < least:
            raise ValueError("a column has fewer rows than asked for")
        return &view[0] if view.shape[0] else <const uint8_t *>""

    cdef const int64_t *offsets(self, object buffer, Py_ssize_t least) except? NULL:
        cdef const int64_t[::1] view = buffer
        self.held.append(view)
        if view.shape[0] < least:
            raise ValueError("a column has fewer rows than asked for")
        return &view[0] if view.shape[0] else NULL

    cdef int add_words(self, Field *f, tuple buffers, Py_ssize_t n) except -1:
        cdef Py_ssize_t i, size, count = len(buffers[3])
        if memoryview(buffers[0]).itemsize == 2:
            f.wide_codes = <const uint16_t *>self.octets(memoryview(buffers[0]).cast("B"), 2 * n)
        else:
            f.codes = self.octets(buffers[0], n)
        f.words = self.octets(buffers[1], 0)
        f.starts = self.offsets(buffers[2], count)
        f.ends = self.offsets(buffers[3], 0)
        for i in range(n):
            if _code(f, i) >= count:
                raise ValueError("a code of a column is outside its words")
        size = memoryview(buffers[1]).nbytes
        f.safe = buffers[1].replace(b" ", b"").isalnum()
        f.widest = 0
        for i in range(count):
            if not 0 <= f.starts[i] <= f.ends[i] <= size:
                raise ValueError("a word of a column is outside its text")
            f.widest = max(f.widest, f.ends[i] - f.starts[i])
        return 0

    cdef int add(self, str name, tuple column, Py_ssize_t n, int form) except -1:
        """Add a column for n rows."""
        cdef Field *f = &self.fields[self.count]
        kind, length, buffers, states = column
        if length < n:
            raise ValueError("a column has fewer rows than asked for")
        f.items = self.items + self.count
        self.fill(f, kind, n, tuple(buffers), states)
        head = _head(name) if form == JSONL else b""
        self.held.append(head)
        f.head = PyBytes_AS_STRING(head)
        f.head_size = len(head)
        self.count += 1
        self.longest += _all_longest(f, n, form) + (f.head_size + 6 if form == JSONL else 3) * n
        return 0

    cdef int fill(self, Field *f, str kind, Py_ssize_t n, tuple buffers, object states) except -1:
        """Point to n values, after a check that they are inside their buffers."""
        cdef Py_ssize_t i, size = 0
        cdef const uint64_t[::1] unsigned
        f.kind = KINDS[kind]
        f.zero = 48
        f.text = f.codes = f.words = NULL
        f.wide_codes = NULL
        f.starts = f.ends = NULL
        f.numbers = NULL
        f.head = NULL
        f.head_size = 0
        f.safe = False
        f.states = NULL
        if states is not None:
            f.states = self.octets(states, n)
        if f.kind == CELLS:
            size = memoryview(buffers[0]).nbytes
            f.text = self.octets(buffers[0], 0)
            f.starts = self.offsets(buffers[1], n)
            f.zero = buffers[2]
            for i in range(n):
                if (f.states == NULL or f.states[i] != MISSING) and not 0 <= f.starts[i] <= size - 81:
                    raise ValueError("a puzzle of a column is outside its buffer")
        elif f.kind == TEXTS:
            if buffers[0] is not self.text:  # most columns share theirs
                self.text, self.size = buffers[0], memoryview(buffers[0]).nbytes
                self.octets_of_text = self.octets(buffers[0], 0)
            size, f.text = self.size, self.octets_of_text
            f.starts = self.offsets(buffers[1], n)
            f.ends = self.offsets(buffers[2], n)
            for i in range(n):
                if not 0 <= f.starts[i] <= f.ends[i] <= size:
                    raise ValueError("a text of a column is outside its buffer")
        elif f.kind == SIGNED:
            f.numbers = <const uint64_t *>self.offsets(buffers[0], n)
        elif f.kind == UNSIGNED:
            unsigned = buffers[0]
            self.held.append(unsigned)
            if unsigned.shape[0] < n:
                raise ValueError("a column has fewer rows than asked for")
            f.numbers = &unsigned[0] if n else NULL
        elif f.kind == FLAGS:
            f.text = self.octets(buffers[0], n)
        elif f.kind == WORDS:
            self.add_words(f, buffers, n)
        elif f.kind == LISTS:
            f.starts = self.offsets(buffers[0], n + 1)
            for i in range(n):
                if not 0 <= f.starts[i] <= f.starts[i + 1] <= buffers[1][1]:
                    raise ValueError("a list of a column is outside its values")
            kind, size, buffers, states = buffers[1][:4]
            if kind == "lists" or states is not None:
                raise ValueError("the values of lists must be plain, and all there")
            self.fill(f.items, kind, size, tuple(buffers), None)
        return 0


cdef Py_ssize_t _longest(const Field *f, Py_ssize_t i, int form) noexcept nogil:
    """The most bytes that value i takes."""
    cdef Py_ssize_t size = 0, k
    if f.kind == LISTS:
        size = 2
        for k in range(f.starts[i], f.starts[i + 1]):
            size += 2 + _longest(f.items, k, form)
        return size
    if f.kind == CELLS:
        return 81
    elif f.kind == TEXTS:
        size = f.ends[i] - f.starts[i]
    elif f.kind == SIGNED or f.kind == UNSIGNED:
        return 21
    elif f.kind == FLAGS:
        return 5
    elif f.words != NULL:
        size = f.widest
        if f.safe:
            return 2 + size
    return 2 + (6 if form == JSONL else 2) * size  # a byte may become a JSON escape


cdef Py_ssize_t _all_longest(const Field *f, Py_ssize_t n, int form) noexcept nogil:
    """The most bytes that values 0 to n - 1 take together."""
    cdef Py_ssize_t i, total = 0
    if n == 0:
        return 0
    if f.kind == TEXTS:
        for i in range(n):
            total += f.ends[i] - f.starts[i]
        return 2 * n + (6 if form == JSONL else 2) * total
    if f.kind != LISTS:
        return n * _longest(f, 0, form)
    for i in range(n):
        total += _longest(f, i, form)
    return total


def render(str form, Py_ssize_t n, columns, *, int optional=0, allocate=bytearray):
    """Write n rows as text; an empty field stands for a missing value, in JSON ``null``.

    `columns` are pairs of a name and the result of `unidoku._table.column.Column.native`. If one of the last `optional`
    columns has no value in a row, the row has no field for it. Return the lines, in the beginning of the writable
    buffer that ``allocate(size)`` returns.
    """
    cdef Py_ssize_t i
    cdef int kind = FORMS[form]
    cdef _Table table = _Table(len(columns))
    if n <= 0:
        return memoryview(b"")
    table.longest = 3 * n
    for name, column in columns:
        table.add(name, column, n, kind)
    made = allocate(table.longest)
    cdef uint8_t[::1] target = made
    if target.shape[0] < table.longest:
        raise ValueError("the buffer from allocate is too small")
    cdef char *begin = <char *>&target[0]
    cdef char *out = begin
    with nogil:
        if kind == CSV:  # with the form as a constant
            for i in range(n):
                out = _row(out, table.fields, table.count, table.count - optional, i, CSV)
                invariant(out - begin <= table.longest)
        else:
            for i in range(n):
                out = _row(out, table.fields, table.count, table.count - optional, i, kind)
                invariant(out - begin <= table.longest)
    return memoryview(made)[:out - begin]


@lru_cache(maxsize=256)  # of all batches
def _head(name):
    """Return the text before a value in a JSON object."""
    from json import dumps

    return f"{dumps(name, ensure_ascii=False)}: ".encode()


def tally(const uint8_t[::1] verdicts, Py_ssize_t count):
    """Count each of the verdict codes 0 to 3 among the first ``count``."""
    if not 0 <= count <= verdicts.shape[0]:
        raise ValueError("count must not exceed the array")
    cdef Py_ssize_t i = 0, ones = 0, twos = 0, threes = 0
    cdef int j
    cdef uint8_t one, two, three
    if count == 0:
        return 0, 0, 0, 0
    cdef const uint8_t *v = &verdicts[0]
    with nogil:
        while i + 128 <= count:
            # A byte counts to 128 at most; the compiler vectorises this form.
            one = two = three = 0
            for j in range(128):
                one = one + <uint8_t>(v[i + j] == 1)
                two = two + <uint8_t>(v[i + j] == 2)
                three = three + <uint8_t>(v[i + j] == 3)
            ones += one
            twos += two
            threes += three
            i += 128
        while i < count:
            ones += v[i] == 1
            twos += v[i] == 2
            threes += v[i] == 3
            i += 1
    return count - ones - twos - threes, ones, twos, threes
