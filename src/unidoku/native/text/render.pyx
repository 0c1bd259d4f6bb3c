# cython: autotestdict=False
"""Write result rows as text: tab-separated lines, CSV (also with tabs) and JSON lines.

The formats are those of ``unidoku check --output``; the input is the kernel's arrays. No Python object is made
per row, and the GIL is released while rows are written.
"""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from libc.stdint cimport int64_t, uint8_t, uint16_t, uint64_t
from libc.string cimport memcpy

cdef enum:
    TXT = 0
    CSV = 1
    JSONL = 2
    SOLUTION = 3
    TSV = 4
    MARKS = 729
    MOST_COLUMNS = 1024

FORMS = {"txt": TXT, "csv": CSV, "jsonl": JSONL, "solution": SOLUTION, "tsv": TSV}

cdef const char *WORDS[5]
WORDS[0] = "none"
WORDS[1] = "unique"
WORDS[2] = "multiple"
WORDS[3] = "unknown"
WORDS[4] = "invalid"

cdef int LENGTHS[5]
LENGTHS[:] = [4, 6, 8, 7, 7]

cdef struct Texts:
    # One carried column: row i is text[starts[i]:ends[i]]; head is the JSON key with its punctuation.
    const uint8_t *text
    const int64_t *starts
    const int64_t *ends
    const char *head
    Py_ssize_t head_size

cdef struct Rows:
    const uint8_t *text
    const int64_t *starts
    const int64_t *lines
    const uint64_t *counts
    const uint8_t *verdicts
    const uint8_t *complete
    const uint8_t *solutions
    int width
    uint8_t zero
    int verdict_mask
    int n_columns
    Texts columns[MOST_COLUMNS]

cdef inline char *_put(char *out, const char *text, Py_ssize_t size) noexcept nogil:
    if size:  # an empty text may have no address
        memcpy(out, text, size)
    return out + size

cdef inline char *_char(char *out, char c) noexcept nogil:
    out[0] = c
    return out + 1

cdef inline char *_number(char *out, uint64_t value) noexcept nogil:
    cdef char digits[20]
    cdef int i = 20
    while True:
        i -= 1
        digits[i] = 48 + <char>(value % 10)
        value //= 10
        if value == 0:
            break
    return _put(out, digits + i, 20 - i)

cdef inline char *_puzzle(char *out, const uint8_t *cells, int width, uint8_t zero) noexcept nogil:
    """The cells with a dot for each empty one."""
    cdef int i
    cdef uint8_t d
    if width == 81:  # the compiler vectorises a loop of known length
        for i in range(81):
            d = cells[i] - zero - 1
            out[i] = <char>(d + 49 if d < 9 else 46)
        return out + 81
    for i in range(0, width, 81):
        out = _puzzle(out, cells + i, 81, zero)
    return out

cdef inline char *_solution(char *out, const uint8_t *digits, uint8_t zero) noexcept nogil:
    cdef int i
    for i in range(81):
        out[i] = <char>(digits[i] - zero + 48)
    return out + 81

cdef char *_plain(char *out, const uint8_t *text, Py_ssize_t size) noexcept nogil:
    """A text for a tab-separated line: only line ends are escaped."""
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

cdef char *_csv(char *out, const uint8_t *text, Py_ssize_t size, char comma) noexcept nogil:
    """A CSV field, quoted if necessary; ``comma`` separates fields."""
    cdef Py_ssize_t i
    cdef bint quoted = False
    for i in range(size):
        if text[i] == 34 or text[i] == <uint8_t>comma or text[i] == 10 or text[i] == 13:
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

cdef char *_txt_row(char *out, const Rows *rows, Py_ssize_t i) noexcept nogil:
    cdef int k, v = rows.verdicts[i]
    cdef const Texts *column
    out = _puzzle(out, rows.text + rows.starts[i], rows.width, rows.zero)
    out = _put(_char(out, 9), WORDS[v], LENGTHS[v])
    out = _number(_char(out, 9), rows.counts[i])
    if not rows.complete[i]:  # a lower bound
        out = _char(out, 43)
    out = _char(out, 9)
    if rows.solutions[81 * i]:
        out = _solution(out, rows.solutions + 81 * i, rows.zero)
    for k in range(rows.n_columns):
        column = &rows.columns[k]
        out = _plain(_char(out, 9), column.text + column.starts[i], column.ends[i] - column.starts[i])
    return _char(out, 10)

cdef inline char *_csv_row(char *out, const Rows *rows, Py_ssize_t i, char comma) noexcept nogil:
    """Line, puzzle, verdict, count, complete, solution, reason (none here), carried columns."""
    cdef int k, v = rows.verdicts[i]
    cdef const Texts *column
    out = _number(out, <uint64_t>rows.lines[i])
    out = _puzzle(_char(out, comma), rows.text + rows.starts[i], rows.width, rows.zero)
    out = _put(_char(out, comma), WORDS[v], LENGTHS[v])
    out = _number(_char(out, comma), rows.counts[i])
    out = _char(out, comma)
    out = _put(out, "true", 4) if rows.complete[i] else _put(out, "false", 5)
    out = _char(out, comma)
    if rows.solutions[81 * i]:
        out = _solution(out, rows.solutions + 81 * i, rows.zero)
    out = _char(out, comma)
    for k in range(rows.n_columns):
        column = &rows.columns[k]
        out = _csv(_char(out, comma), column.text + column.starts[i], column.ends[i] - column.starts[i], comma)
    return _char(out, 10)

cdef char *_jsonl_row(char *out, const Rows *rows, Py_ssize_t i) noexcept nogil:
    cdef int k, v = rows.verdicts[i]
    cdef const Texts *column
    out = _number(_put(out, '{"line": ', 9), <uint64_t>rows.lines[i])
    out = _puzzle(_put(out, ', "puzzle": "', 13), rows.text + rows.starts[i], rows.width, rows.zero)
    out = _put(_put(out, '", "verdict": "', 15), WORDS[v], LENGTHS[v])
    out = _number(_put(out, '", "count": ', 12), rows.counts[i])
    out = _put(out, ', "complete": true', 18) if rows.complete[i] else _put(out, ', "complete": false', 19)
    if rows.solutions[81 * i]:
        out = _char(_solution(_put(out, ', "solution": "', 15), rows.solutions + 81 * i, rows.zero), 34)
    else:
        out = _put(out, ', "solution": null', 18)
    for k in range(rows.n_columns):
        column = &rows.columns[k]
        out = _put(out, column.head, column.head_size)
        out = _char(_json(out, column.text + column.starts[i], column.ends[i] - column.starts[i]), 34)
    return _put(out, "}\n", 2)

cdef char *_solution_row(char *out, const Rows *rows, Py_ssize_t i) noexcept nogil:
    """Only the solution, or the verdict if there is none."""
    cdef int v = rows.verdicts[i]
    if rows.solutions[81 * i]:
        out = _solution(out, rows.solutions + 81 * i, rows.zero)
    else:
        out = _put(out, WORDS[v], LENGTHS[v])
    return _char(out, 10)


def render(str form, const uint8_t[::1] text, const int64_t[::1] starts, const int64_t[::1] lines,
           const uint64_t[::1] counts, const uint8_t[::1] verdicts, const uint8_t[::1] complete,
           const uint8_t[::1] solutions, *,
           Py_ssize_t first=0, last=None, int width=81, int zero=48, int verdict_mask=31, columns=(),
           allocate=bytearray):
    """Write result rows as text.

    Parameters
    ----------
    form : {"txt", "csv", "tsv", "jsonl", "solution"}
    text, starts, lines, counts, verdicts, complete, solutions : buffers
        As in a batch and the kernel's results; solutions are 81 bytes per puzzle, zeros if there is none.
        A count that is not complete is a lower bound: ``960+`` in ``txt``, ``false`` in the column
        ``complete`` of the other forms.
    first, last : int
        Rows ``first`` up to but not ``last`` (default: all).
    width : int
        81, or 729 when these puzzles are pencil-mark puzzles.
    zero : int
        Code of an empty cell: 48 for text, 0 for numbers.
    verdict_mask : int
        Bit v is set when rows with verdict code v are to be written.
    columns : sequence of Column
        Carried texts, written at the end of each row.
    allocate : callable
        ``allocate(size)`` returns a writable buffer of at least ``size`` bytes.

    Returns
    -------
    memoryview
        Complete lines, in the order of the rows: the beginning of the buffer from ``allocate``.

    Raises
    ------
    ValueError
        If a buffer is too short, or an offset is outside its text.
    """
    cdef Py_ssize_t n = starts.shape[0], stop = n if last is None else last, i, size, carried = 0
    cdef Rows rows
    cdef list keep = []
    cdef const uint8_t[::1] column_text
    cdef const int64_t[::1] begins, ends
    cdef int kind = FORMS[form]
    if not 0 <= first <= stop <= n:
        raise ValueError("first and last must be rows")
    if width != 81 and width != MARKS:
        raise ValueError("width is 81 or 729")
    if zero != 0 and zero != 48:
        raise ValueError("zero is 0 or 48")
    if first == stop:
        return memoryview(b"")
    if (lines.shape[0] < n or counts.shape[0] < n or verdicts.shape[0] < n or complete.shape[0] < n
            or solutions.shape[0] < 81 * n):
        raise ValueError("an array has fewer rows than starts")
    for i in range(first, stop):
        if starts[i] < 0 or starts[i] > text.shape[0] - width or verdicts[i] > 4:
            raise ValueError("a start is outside the text, or a verdict is not a code")
    rows.text = &text[0]
    rows.starts = &starts[0]
    rows.lines = &lines[0]
    rows.counts = &counts[0]
    rows.verdicts = &verdicts[0]
    rows.complete = &complete[0]
    rows.solutions = &solutions[0]
    rows.width = width
    rows.zero = zero
    rows.verdict_mask = verdict_mask
    rows.n_columns = 0
    if len(columns) > MOST_COLUMNS:
        raise ValueError(f"at most {MOST_COLUMNS} columns can be carried")
    for column in columns:
        column_text = column.text
        begins = column.starts
        ends = column.ends
        head = f', {_key(column.name)}: "'.encode()
        keep.append((column_text, begins, ends, head))
        if begins.shape[0] < n or ends.shape[0] < n:
            raise ValueError("a column has fewer rows than starts")
        for i in range(first, stop):
            if not 0 <= begins[i] <= ends[i] <= column_text.shape[0]:
                raise ValueError("a column's text is outside its buffer")
            carried += ends[i] - begins[i]
        rows.columns[rows.n_columns].text = &column_text[0] if column_text.shape[0] else NULL
        rows.columns[rows.n_columns].starts = &begins[0]
        rows.columns[rows.n_columns].ends = &ends[0]
        rows.columns[rows.n_columns].head = PyBytes_AS_STRING(head)
        rows.columns[rows.n_columns].head_size = len(head)
        rows.n_columns += 1
        carried += (len(head) + 3) * (stop - first)
    # The longest row of any form; a byte of a carried text becomes at most six bytes.
    size = (stop - first) * (width + 81 + 2 * 20 + 8 + 110) + 6 * carried
    made = allocate(size)
    cdef uint8_t[::1] target = made
    if target.shape[0] < size:
        raise ValueError("the buffer from allocate is too small")
    cdef char *out = <char *>&target[0]
    cdef char *begin = out
    with nogil:
        for i in range(first, stop):
            if not (rows.verdict_mask >> rows.verdicts[i]) & 1:
                continue
            if kind == TXT:
                out = _txt_row(out, &rows, i)
            elif kind == CSV:
                out = _csv_row(out, &rows, i, 44)
            elif kind == TSV:
                out = _csv_row(out, &rows, i, 9)
            elif kind == JSONL:
                out = _jsonl_row(out, &rows, i)
            else:
                out = _solution_row(out, &rows, i)
    return memoryview(made)[:out - begin]


def _key(name):
    """A JSON string."""
    from json import dumps

    return dumps(name, ensure_ascii=False)


def candidates(const uint8_t[::1] text, const int64_t[::1] starts, which, *, int zero=48):
    """Candidate masks of pencil-mark puzzles, in the form of the kernel.

    Parameters
    ----------
    text, starts : buffers
        A puzzle is 729 bytes, nine per cell: the digit itself where it is a candidate, else another byte.
    which : sequence of int
        Indices of the puzzles to convert.

    Returns
    -------
    bytes
        81 uint16 a puzzle; bit d - 1 is set when digit d is a candidate.

    Raises
    ------
    ValueError
        If a puzzle is outside the text.
    """
    cdef bytes made = PyBytes_FromStringAndSize(NULL, 162 * len(which))
    cdef uint16_t *out = <uint16_t *>PyBytes_AS_STRING(made)
    cdef Py_ssize_t i, begin
    cdef int cell, d
    for i in which:
        if not 0 <= i < starts.shape[0]:
            raise ValueError("no such puzzle")
        begin = starts[i]
        if begin < 0 or begin > text.shape[0] - MARKS:
            raise ValueError("a start is outside the text")
        for cell in range(81):
            out[0] = 0
            for d in range(9):
                if text[begin + 9 * cell + d] == zero + d + 1:
                    out[0] |= 1 << d
            out += 1
    return made


def tally(const uint8_t[::1] verdicts, Py_ssize_t count):
    """Count each of the verdict codes 0 to 3 among the first ``count``.

    Returns
    -------
    tuple of int
        Four numbers, in the order of the codes.
    """
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
