# The codes of the numerical-analysis method that Python has words for.

# How a run ends.
cpdef enum:
    SOLVED
    STUCK          # only presets could continue, and their limit is reached
    CONTRADICTION  # outside all presets: the puzzle has no solution
    STATUSES       # how many

# The kinds of events.
cpdef enum:
    ZERO
    CONVERT
    PRESET
    CONTRADICTED
    RETRACT
    KINDS  # how many

# The rules that justify them.
cpdef enum:
    NO_RULE
    THEOREM1
    THEOREM2
    THEOREM3
    THEOREM4
    EXTENDED
    SUBSET
    RULES  # how many
