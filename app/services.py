"""What one running web program consists of; made by `app.main`, reached by `app.deps`."""

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
        wanted = path.rstrip("/").rsplit("/", 1)[-1]
        known = self.search.names(lang)
        lowered = {name.lower(): name for name in known}
        close = get_close_matches(wanted.lower(), list(lowered), n=5, cutoff=0.55)
        found = [known[lowered[name]] for name in close]
        return found or [Link(self.library.current().course.title[lang], f"/{lang}/")]
