"""Errors that a reader meets. Raised as `Refusal`, turned into JSON for `/api` and into a page for the rest."""

from collections.abc import Mapping
from typing import Any


class Refusal(Exception):
    """A request that is refused for a stated reason.

    code: a key of `app/i18n/sentences/errors.yaml`, which holds the sentence in both languages.
    data: values for the sentence, and further fields of the JSON body.
    """

    def __init__(
        self, status: int, code: str, *, field: str = "", headers: Mapping[str, str] | None = None, **data: Any
    ) -> None:
        super().__init__(f"{status} {code} {data}")
        self.status = status
        self.code = code
        self.field = field
        self.headers = dict(headers or {})
        self.data = data


class TooMany(Refusal):
    """A reader who is to wait: 429. kind: guest, or empty for submissions."""

    def __init__(self, wait_s: float, kind: str = "") -> None:
        retry = int(wait_s) + 1
        data = {"kind": kind} if kind else {}
        super().__init__(429, "too_many", headers={"Retry-After": str(retry)}, retry_after=retry, **data)


class NotFound(Refusal):
    """Nothing at this address: 404. kind: page, lesson, exercise, question, reference, submission or language."""

    def __init__(self, kind: str, name: str = "") -> None:
        super().__init__(404, "not_found", kind=kind, name=name)
