"""The last gate before a page: only known elements and attributes pass."""

import nh3
from markupsafe import Markup


def _words(text: str) -> set[str]:
    return set(text.split())


TEXT = _words(
    """a abbr aside b blockquote br cite code dd del details dfn div dl dt em figcaption figure h1 h2 h3 h4 h5 h6 hr i
    img input ins kbd label li mark ol p pre q s samp section small span strong sub summary sup table tbody td tfoot
    th thead tr u ul var wbr"""
)
MATHML = _words(
    """math menclose merror mfenced mfrac mi mmultiscripts mn mo mover mpadded mphantom mroot mrow ms mspace msqrt
    mstyle msub msubsup msup mtable mtd mtext mtr munder munderover none mprescripts semantics annotation"""
)
OURS = {"fp-visualiser"}

EVERYWHERE = _words("id class title lang dir role tabindex aria-label aria-hidden")
MATH_ATTRIBUTES = _words(
    """accent accentunder columnalign columnlines columnspacing columnspan depth display displaystyle fence form frame
    height largeop linebreak linethickness lspace mathcolor mathsize mathvariant maxsize minsize movablelimits notation
    rowalign rowlines rowspacing rowspan rspace scriptlevel separator stretchy symmetric voffset width xmlns"""
)
ATTRIBUTES: dict[str, set[str]] = {
    "*": EVERYWHERE,
    "a": {"href"},
    "img": {"src", "alt", "width", "height", "loading"},
    "input": {"type", "checked", "disabled"},
    "ol": {"start"},
    "td": {"colspan", "rowspan"},
    "th": {"colspan", "rowspan", "scope"},
    "details": {"open"},
    "fp-visualiser": {"name"},
} | dict.fromkeys(MATHML, MATH_ATTRIBUTES)


CLEANER = nh3.Cleaner(
    tags=TEXT | MATHML | OURS,
    attributes=ATTRIBUTES,
    url_schemes={"http", "https", "mailto"},
    generic_attribute_prefixes={"data-"},
    link_rel="noopener",
)


def clean(html: str) -> Markup:
    """Sanitised HTML. Links get `rel="noopener"`."""
    return Markup(CLEANER.clean(html))  # noqa: S704  (this is the sanitiser)
