"""What authors see: a saved lesson appears in the browser where it was edited, mistakes and stale texts too."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser import programs, waiting
from tests.browser.conftest import Console, OpenPage, serving

SLUG = "handles"


@pytest.fixture
def lessons(tmp_path: Path) -> Path:
    """A copy of the lessons, to be changed at will."""
    return Path(shutil.copytree(programs.LESSONS, tmp_path / "lessons"))


@pytest.fixture
def server(tmp_path: Path, lessons: Path) -> Iterator[str]:
    """In the place of the shared one: as an author has it, without a grader."""
    settings = {"FORWARDPASS_LESSONS_DIR": str(lessons), "FORWARDPASS_GRADER": "off"}
    with serving(tmp_path, "--authoring", ready="starting", **settings) as origin:
        yield origin


def wait_until_watched(page: Page) -> None:
    """Until the page asks every second whether something was saved; at first it looks at what it shows itself."""
    for _ in range(2):
        page.wait_for_event("response", lambda response: response.url.endswith("/api/preview"))


def headings(page: Page) -> list[str]:
    found: list[str] = page.locator(".lesson-body .body h2").evaluate_all("list => list.map(h => h.id)")
    return found


def text_of(lessons: Path, lang: str) -> Path:
    return next(lessons.glob(f"*-{SLUG}")) / f"{lang}.md"


def test_a_saved_lesson_is_shown_at_the_section_that_was_edited(open_page: OpenPage, lessons: Path) -> None:
    page = open_page(f"/ko/lessons/{SLUG}")
    wait_until_watched(page)
    assert page.evaluate("scrollY") == 0
    file = text_of(lessons, "ko")
    parts = file.read_text(encoding="utf-8").split("\n## ")
    assert len(parts) > 4
    title, rest = parts[3].split("\n", 1)
    parts[3] = f"{title}\n\n방금 저장한 문장입니다.\n{rest}"
    file.write_text("\n## ".join(parts), encoding="utf-8")
    saved = page.locator(".lesson-body p", has_text="방금 저장한 문장입니다.")
    expect(saved).to_be_in_viewport()
    heading = waiting.eventually(page, lambda: headings(page)[3:4])[0]
    expect(page.locator(f"[id='{heading}']")).to_be_in_viewport()
    waiting.holds(page.locator(f"[id='{heading}']"), "heading => heading.getBoundingClientRect().top < 200")


def test_a_mistake_is_shown_with_its_mend_and_gone_once_mended(
    open_page: OpenPage, lessons: Path, console: Console
) -> None:
    console.forgive("500")
    page = open_page(f"/en/lessons/{SLUG}")
    wait_until_watched(page)
    file = text_of(lessons, "en")
    good = file.read_text(encoding="utf-8")
    file.write_text(good + "\n:::{visualizer} layout\n:::\n", encoding="utf-8")
    problem = page.locator(".problems li")
    expect(problem).to_contain_text("visualizer")
    expect(problem).to_contain_text(f"en.md:{good.count(chr(10)) + 2}")
    wait_until_watched(page)
    file.write_text(good, encoding="utf-8")
    expect(page.locator("article.lesson")).to_be_visible()


def test_a_stale_translation_is_shown_to_authors(open_page: OpenPage, lessons: Path) -> None:
    config = text_of(lessons, "ko").parent / "lesson.yaml"
    lines = [line for line in config.read_text(encoding="utf-8").splitlines() if not line.startswith("sources:")]
    config.write_text("\n".join([*lines, "sources: {ko: '000000000000'}", ""]), encoding="utf-8")
    page = open_page(f"/ko/lessons/{SLUG}")
    expect(page.locator(".lesson-head .notice")).to_be_visible()
    page.goto("/ko/")
    expect(page.locator(".problems li", has_text="en.md has changed since ko.md followed it")).to_be_visible()
    page.goto(f"/en/lessons/{SLUG}")
    expect(page.locator(".lesson-head .notice")).to_have_count(0)
