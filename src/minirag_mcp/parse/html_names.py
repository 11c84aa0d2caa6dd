"""What the names that page makers give to elements, in classes, identifiers and roles, say about them."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
# What a theme says about the page, a state or the screen rather than about the element itself.
_ABOUT_OTHERS = re.compile(r"(?:has|no|with|without|is|not|hide|show|hidden|toggle|category|tag|term)-|[^:]*:|.*-not-")

_LONGEST_NAMES = 1_000
_LINKED = (
    "breadcrumb breadcrumbs catlinks crumbs footer interlanguage language-links language-list language-selector "
    "language-switcher masthead menu menubar nav navbar navbox navi navigation navpath pager pagination paging "
    "prevnext promo related-articles related-content related-links related-pages related-posts related-stories "
    "related-topics relatedposts relbar sidebar sidenav sitemap skip submenu subnav teasers toolbar topbar topnav "
    "widget-area"
)
_BRIEF = (
    "ad-banner ad-container ad-slot ad-unit ad-wrapper addthis addtoany advert advertisement announcement-bar "
    "article-footer backtotop breadcrumb breadcrumbs clipboard-copy comment-form comment-respond commentform "
    "copy-button copybtn copyright-info copyright-notice copyright-text crumbs edit-link edit-page edit-source "
    "edit-this editlink feedback-form jumplink login-link navfooter navheader newsletter-box newsletter-form "
    "newsletter-sign newsletter-signup page-footer pagination print-link printfooter search-bar search-box "
    "search-form searchbox searchform share-buttons share-links sharebar sharedaddy sharing-buttons sharing-links "
    "site-copyright site-footer site-sub skip-link skip-to skiplink social-bar social-buttons social-icons "
    "social-links social-media social-share social-sharing source-link sponsored-content sponsored-links "
    "subscribe-box subscribe-form to-top view-source vote-links was-helpful"
)
_CONSENT = (
    "axeptio borlabs cc-banner cc-floating cc-window cky cmpbox cmplz cookiebot cookieconsent cookiefirst "
    "cookielaw cookiescript cookieyes cybot didomi iubenda-cs klaro onetrust osano qc-cmp sp-message "
    "tarteaucitron termly trustarc truste usercentrics"
)
_CONSENT_PLACES = (
    "alert banner bar compliance dialog disclaimer law message modal notice notification overlay panel popup "
    "preferences"
)
_CONSENT_BOXES = "box cc choice choices container hint info layer settings warning widget wrapper"
# Words that are the subject of pages as well: a name with one is believed where little else could be meant.
_VAGUE = "ads copyright newsletter share sharing social sponsored subscribe"
_SIGN = "backlink editsection hash-link headerlink heading-anchor permalink"
_READ = (
    "bibliography citations endnotes footnotes glossary reference-list references reflist sources tab-content tabs "
    "works-cited"
)
_CONTENT = (
    "article-body article-content body-content bodycontent content content-main contents document entry-content main "
    "main-content maincontent markdown-body mw-content-text mw-parser-output page-body page-content post-content "
    "region-content rst-content story-body textbody wiki-content"
)


def _split(names: str) -> tuple[frozenset[str], frozenset[str]]:
    """The single words among `names`, and those of two words."""
    listed = frozenset(names.split())
    return frozenset(name for name in listed if "-" not in name), frozenset(name for name in listed if "-" in name)


_LINKED_NAMES, _BRIEF_NAMES, _CONSENT_NAMES = _split(_LINKED), _split(_BRIEF), _split(_CONSENT)
_CONTENT_NAMES = frozenset(_CONTENT.split())
_PLACES, _BOXES = frozenset(_CONSENT_PLACES.split()), frozenset(_CONSENT_BOXES.split())
_ASKED_ABOUT = frozenset(("cookie", "cookies", "consent", "gdpr"))
_VAGUE_NAMES, _READ_NAMES = frozenset(_VAGUE.split()), _split(_READ)
_SIGN_NAMES = _split(_SIGN)


@dataclass(frozen=True, slots=True, kw_only=True)
class Meaning:
    """What the names of an element say that it holds."""

    holds_links: bool = False
    """Links to other pages or places."""
    is_small_part: bool = False
    """A small thing that is not for reading."""
    is_consent: bool = False
    """A question about cookies, by the name of a product that asks it."""
    is_maybe_consent: bool = False
    """A question about cookies, as it seems."""
    is_about_cookies: bool = False
    """Something about cookies."""
    is_sign: bool = False
    """A sign with a link at a heading or a note."""
    is_maybe_small_part: bool = False
    """Perhaps a small thing that is not for reading, perhaps what the page is about."""
    is_to_read: bool = False
    """What belongs to the content, though it may be all links."""
    is_footer: bool = False
    """What stands at the foot of a page or of a part of it."""


NOTHING = Meaning()


@lru_cache(maxsize=2048)
def meaning_of(names: str) -> Meaning:
    """What names, with blanks between them, say of an element."""
    words = _words_of(names[:_LONGEST_NAMES])
    return Meaning(
        holds_links=any(_holds(name, _LINKED_NAMES) for name in words),
        is_small_part=any(_holds(name, _BRIEF_NAMES) for name in words),
        is_consent=any(_holds(name, _CONSENT_NAMES) for name in words),
        is_maybe_consent=any(_asks(name, _PLACES) for name in words),
        is_about_cookies=any(_asks(name, _BOXES) for name in words),
        is_sign=any(_holds(name, _SIGN_NAMES) for name in words),
        is_maybe_small_part=any(not _VAGUE_NAMES.isdisjoint(name) for name in words),
        is_to_read=any(_holds(name, _READ_NAMES) for name in words),
        is_footer=any("footer" in name for name in words),
    )


def is_content(attributes: Mapping[str, str]) -> bool:
    """Whether an element is named as the content of its page."""
    names = [*attributes.get("class", "").lower().split(), attributes.get("id", "").lower()]
    return any(name in _CONTENT_NAMES for name in names)


def _words_of(names: str) -> list[tuple[str, ...]]:
    """Each name as the words it is made of, in lower case."""
    return [
        tuple(word.lower() for word in _WORD.findall(name)) for name in names.split() if not _ABOUT_OTHERS.match(name)
    ]


def _asks(words: tuple[str, ...], places: frozenset[str]) -> bool:
    asked = _ASKED_ABOUT.intersection(words)
    if asked:
        return len(asked) > 1 or not places.isdisjoint(words)
    return any(word.startswith("cookie") and word.removeprefix("cookie") in places for word in words)


def _holds(words: tuple[str, ...], names: tuple[frozenset[str], frozenset[str]]) -> bool:
    single, double = names
    if not single.isdisjoint(words):
        return True
    return any(f"{first}-{second}" in double for first, second in pairwise(words))
