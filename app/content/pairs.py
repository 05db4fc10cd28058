"""Reading a text in both languages from content files, with our own type for it."""

from app.content.model import Texts
from grader.contract.marked_yaml import Section


def both(section: Section, key: str) -> Texts:
    """The texts under `key`; empty ones, and a noted problem, where one is missing."""
    texts = section.both_languages(key)
    return {"ko": texts["ko"], "en": texts["en"]}
