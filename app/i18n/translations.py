"""gettext catalogues, read from the .po files at start: there are no compiled files that could be stale."""

from io import BytesIO
from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.support import NullTranslations, Translations

from app.i18n.locales import LANGS, Lang


def load(folder: Path) -> dict[Lang, NullTranslations]:
    """One catalogue a language; the message ids themselves (English) where a language has no file.

    Raises babel.messages.pofile.PoFileError for a catalogue that cannot be parsed.
    """
    return {lang: _load(folder / lang / "LC_MESSAGES" / "messages.po", lang) for lang in LANGS}


def _load(file: Path, lang: Lang) -> NullTranslations:
    if not file.is_file():
        return NullTranslations()
    compiled = BytesIO()
    with file.open("rb") as source:
        write_mo(compiled, read_po(source, locale=lang, abort_invalid=True))
    compiled.seek(0)
    return Translations(compiled)
