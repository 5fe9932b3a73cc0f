"""What is raised where something does not hold that must."""


class BrokenError(AssertionError):
    """An invariant does not hold."""


def hold(true: object, what: str) -> None:
    if not true:
        raise BrokenError(what)
