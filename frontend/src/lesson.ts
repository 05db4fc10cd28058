/** The lesson page: quiz, pictures, runnable programs, contents, and the place where the reader stopped. */
import { call } from "./lib/api";
import { all, find, h } from "./lib/dom";
import { t } from "./lib/strings";
import { setUpQuiz } from "./quiz/quiz";
import { setUpRun } from "./lesson/run";
import { trackPlace } from "./lesson/place";
import { loadVisualisers } from "./visualisers/load";

const lesson = find("article.lesson");
const slug = lesson?.dataset["slug"];

for (const section of all("section.quiz")) setUpQuiz(section);
for (const block of all(".run-block")) setUpRun(block);
loadVisualisers();
if (lesson && slug) trackPlace(lesson, slug);

/** On a phone the contents would push the lesson off the screen: fold them. */
const toc = find<HTMLDetailsElement>(".toc details");
if (toc && matchMedia("(max-width: 68rem)").matches) toc.open = false;

for (const code of all(".prose .highlight")) {
  const pre = find("pre", code);
  if (!pre || !navigator.clipboard) continue; // plain HTTP on a LAN has no clipboard
  const button = h("button", { class: "button quiet copy", type: "button" }, t("copy"));
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(pre.textContent ?? "");
    button.textContent = t("copied");
    setTimeout(() => (button.textContent = t("copy")), 2000);
  });
  code.append(button);
}

/** A formula wider than the screen scrolls, so the keyboard must reach it. */
for (const block of all(".math-block")) if (block.scrollWidth > block.clientWidth) block.tabIndex = 0;

/** Read once the end has been on the screen for a moment: scrolling past is not reading. */
const end = find(".pager");
if (end && slug && lesson.dataset["read"] !== "true") {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const seen = new IntersectionObserver((entries) => {
    clearTimeout(timer);
    if (!entries.some((entry) => entry.isIntersecting)) return;
    timer = setTimeout(() => {
      seen.disconnect();
      void call("POST", `/api/lessons/${slug}/read`).catch(() => undefined); // marked at the next visit instead
    }, 1500);
  });
  seen.observe(end);
}
