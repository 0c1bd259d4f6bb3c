"""Hypothesis strategies for texts of puzzle lines, good and bad."""

from hypothesis import strategies as st

EMPTIES = ".0*_-xX?"


def cells(count, symbols=EMPTIES):
    """Draw this number of digits and empty symbols."""
    return st.text(st.sampled_from("123456789" + symbols * 3), min_size=count, max_size=count).map(str.encode)


puzzles = st.one_of(*(cells(81, symbol) for symbol in EMPTIES), cells(81))
near = st.sampled_from([0, 1, 79, 80, 82, 83, 162, 729, 730, 731]).flatmap(cells)
separators = st.sampled_from([b" ", b"\t", b",", b";", b":", b"#", b"|", b'"', b" , "])
junk = st.binary(max_size=12).map(lambda raw: raw.translate(None, b"\r\n"))
tails = st.one_of(st.just(b""), st.tuples(separators, junk).map(b"".join), junk)
blanks = st.sampled_from([b"", b"", b"", b" ", b"\t  ", b'"'])
comments = st.tuples(st.sampled_from([b"#", b";", b"//", b" # ", b"/"]), junk).map(b"".join)
invalid = st.tuples(puzzles, st.integers(0, 80), st.sampled_from([b"a", b"\0", b" ", b"\xc3\xa9", b"|"])).map(
    lambda drawn: drawn[0][: drawn[1]] + drawn[2] + drawn[0][drawn[1] + 1 :]
)
heads = st.tuples(st.binary(max_size=5).map(lambda raw: raw.translate(None, b"\r\n")), separators).map(
    b"".join
)

lines = st.one_of(
    puzzles,
    st.tuples(blanks, puzzles, tails).map(b"".join),
    st.tuples(blanks, near, tails).map(b"".join),
    st.tuples(heads, puzzles, tails).map(b"".join),
    st.tuples(blanks, invalid, tails).map(b"".join),
    comments,
    st.just(b""),
    junk,
)
ends = st.sampled_from([b"\n", b"\n", b"\n", b"\r\n", b"\r", b"\n\n", b"\n\r", b"\r\r\n"])


@st.composite
def texts(draw, limit=8):
    """Draw lines with their ends; the last may have none."""
    text = b"".join(draw(lines) + draw(ends) for _ in range(draw(st.integers(0, limit))))
    if draw(st.booleans()):
        text += draw(lines)
    return text
