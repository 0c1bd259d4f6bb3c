# The codes of the step engine that Python has words for.

# The states of a search.
cpdef enum:
    LOADED
    VALID
    FINE      # a solution was just found
    INVALID   # the search is exhausted

# The kinds of entries of the log.
cpdef enum:
    STARTED
    SINGLE
    PASSED
    COMPLETE
    INCOMPLETE
    LINE
    AGAIN
    CONTRADICTION
    FRUITLESS
    FAILED
    GUESS
    FORWARD
    UPWARD
    SOLUTION
    EXHAUSTED
    ENTRIES  # how many

# How a whole search ends.
cpdef enum:
    ENDED
    CUT_OFF  # at the step limit
    CLASH    # two equal clues in a house: not searched
    STOPPED  # by the flag
