"""What one running web program consists of; made by `app.main`, reached by `app.deps`."""

import re
from dataclasses import dataclass
from difflib import get_close_matches

from app.content.library import Library
from app.db import Database
from app.i18n.locales import Lang
from app.limiter import Limiter
from app.pages import GraderView, Pages
from app.search.index import SearchIndex
from app.settings import Settings
from app.submissions.dispatcher import Dispatcher
from app.submissions.notifier import Notifier
from app.views import Link
from grader.contract.api import Api

SIMILAR = 0.7
"""Share of common letters from which a name may be another one misspelt; from 0.55 on, `nothing` was `autotuning`."""


@dataclass(slots=True)
class Services:
    settings: Settings
    database: Database
    library: Library
    api: Api
    pages: Pages
    search: SearchIndex
    notifier: Notifier
    dispatcher: Dispatcher
    submission_limit: Limiter
    draft_limit: Limiter
    reader_limit: Limiter

    def grader_view(self) -> GraderView:
        return self.dispatcher.view()

    def suggest(self, lang: Lang, path: str) -> list[Link]:
        """Pages whose names are close to the last part of a path that leads nowhere; else the course page."""
        return self.similar(lang, path) or [Link(self.library.current().course.title[lang], f"/{lang}/")]

    def similar(self, lang: Lang, path: str) -> list[Link]:
        """Pages whose names are close to the last part of a path, or to a word; none where nothing is."""
        wanted = path.rstrip("/").rsplit("/", 1)[-1]
        names = self.search.names(lang).items()
        known = {name: link for name, link in names if "#" not in link.url or "/glossary#" in link.url}
        lowered = {name.lower(): name for name in known}
        close = get_close_matches(wanted.lower(), list(lowered), n=5, cutoff=SIMILAR)
        close = close or [name for name in lowered if _shares_a_word(wanted.lower(), name)]
        return [known[lowered[name]] for name in close[:5]]


def _shares_a_word(wanted: str, name: str) -> bool:
    """`tensors` and `tensor-descriptors` do: a word of one begins with a word of the other."""
    words = [[word for word in re.split(r"[^a-z0-9]+", text) if len(word) > 3] for text in (wanted, name)]
    return any(mine.startswith(other) or other.startswith(mine) for mine in words[0] for other in words[1])
