"""Texts from readers: whether and how they can be kept."""


def storable(text: str) -> bool:
    """Whether both databases can keep a text: no NUL, no lone surrogates."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return "\0" not in text
