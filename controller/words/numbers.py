"""Numbers with a fraction, as values of messages: each language has a decimal sign of its own."""

from hexboard.words import Message, Said, message, say


def decimal(amount: float, digits: int | None = None) -> Said:
    """A number with so many digits behind its sign; with as many as it needs where none are
    named."""
    return as_written(f"{amount:g}" if digits is None else f"{amount:.{digits}f}")


def as_written(number: str) -> Said:
    """A number that was written with a full stop."""
    whole, stop, rest = number.partition(".")
    return message("words.decimal", whole=whole, rest=rest) if stop else number


def in_bytes(count: int) -> Message:
    """How much that is, as disks are measured: 1 kB is 1000 bytes."""
    if count < 1000:
        return message("words.bytes", count=count)
    amount, units = count / 1000, iter(("kB", "MB", "GB", "TB"))
    unit = next(units)
    while round(amount, 1) >= 1000 and unit != "TB":
        amount, unit = amount / 1000, next(units)
    return message("words.size", amount=decimal(amount, 1), unit=unit)


def spelt(amount: float, digits: int | None = None) -> str:
    """`decimal`, in the language that is spoken, where no message is around it."""
    number = decimal(amount, digits)
    return say(number) if isinstance(number, Message) else str(number)
