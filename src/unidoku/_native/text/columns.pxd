# Why a row of a column, a line, or a record is not a puzzle: the error codes of `scan_strings` and of the scanners of
# lines and records.
cpdef enum:
    REJECT_NULL = 1   # no value
    REJECT_LENGTH     # another number of cells
    REJECT_CELL       # a character that is not a cell
    REJECT_AFTER      # something directly after the puzzle or a quoted field
    REJECT_FIELDS     # another number of fields
    REJECT_LONG       # no puzzle in the bytes that are scanned
    REJECT_UNCLOSED   # a quoted field without its end

# The kinds of values, if a column has a byte for each; a value that is not a text counts as one.
cpdef enum:
    MISSING
    TEXT
    JSON      # that is not a string
    ABSENT    # an object lacks the name
    AT_LEAST  # a number that is a lower bound
