"""How words stand on the lines of a page."""

from playwright.sync_api import Page

BROKEN = """selector => [...document.querySelectorAll(selector)].flatMap(code => {
  const walk = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
  const found = [];
  for (let text = walk.nextNode(); text; text = walk.nextNode())
    for (const word of text.data.matchAll(/[A-Za-z0-9]{2,}/g)) {
      const range = document.createRange();
      range.setStart(text, word.index);
      range.setEnd(text, word.index + word[0].length);
      if (new Set([...range.getClientRects()].map(box => Math.round(box.top))).size > 1) found.push(word[0]);
    }
  return found;
})"""


def broken(page: Page, selector: str) -> list[str]:
    """Words without an underscore, and parts of camelCase, that stand on two lines within elements of `selector`."""
    return list(page.evaluate(BROKEN, selector))
