"""axe-core in a page: what would shut somebody out."""

from pathlib import Path
from typing import Any

from playwright.sync_api import Page

SOURCE = (Path(__file__).parent / "axe.min.js").read_text(encoding="utf-8")
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


def start(page: Page) -> None:
    """Lets axe-core begin with the page; `finish` waits for it. Other pages can load meanwhile."""
    page.evaluate(SOURCE)  # through the debugger, which the page's CSP does not rule
    run = "axe.run(document, {runOnly: {type: 'tag', values: tags}, resultTypes: ['violations']}).then(done, failed)"
    page.evaluate(f"tags => {{ window.axeRun = new Promise((done, failed) => setTimeout(() => {run})) }}", TAGS)


def finish(page: Page) -> list[str]:
    """One line for each element that breaks a rule of WCAG 2.2 AA or good practice."""
    result = page.evaluate("window.axeRun")
    return [
        f"{rule['id']}: {node['target'][0]}: {node['failureSummary'].splitlines()[-1].strip()}"
        for rule in result["violations"]
        for node in rule["nodes"]
        if not _is_formula_heading(rule, node)
    ]


def violations(page: Page) -> list[str]:
    start(page)
    return finish(page)


def _is_formula_heading(rule: dict[str, Any], node: dict[str, Any]) -> bool:
    """axe takes a header cell that holds only MathML for empty; browsers and screen readers do not."""
    return rule["id"] == "empty-table-header" and "<math" in node["html"]
