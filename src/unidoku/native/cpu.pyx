"""What this processor and its operating system can run."""


def placeholder():
    return None
