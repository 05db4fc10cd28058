/** Ties editors, drafts, submissions and the result panel of one exercise together. */
import { ApiError, call } from "../lib/api";
import { all, find, h, need } from "../lib/dom";
import { shortTime, t } from "../lib/strings";
import { toast } from "../lib/toast";
import type { Diagnostic, DraftReport, Language, Message, Started, Submission, VerdictView } from "../lib/types";
import { Panel } from "../results/panel";
import { Checker } from "./checker";
import { Drafts } from "./drafts";
import { Editors } from "./editors";
import { offerHelp, openSolution, setUpHelp, showExplanation } from "./help";
import { setUpReset } from "./reset";
import { narrow, slideTo } from "./slides";
import { unfold } from "./split";
import { openStream } from "./stream";

export class Bench {
  private readonly slug: string;
  private readonly checker: Checker;
  private readonly drafts: Drafts;
  private readonly editors: Editors;
  private readonly panel: Panel;
  private running = "";
  private ranLanguage: Language;
  private wrong: number;
  private close: (() => void) | undefined;

  constructor(
    private readonly root: HTMLElement,
    language: Language,
  ) {
    this.slug = root.dataset["slug"] ?? "";
    this.wrong = Number(root.dataset["wrong"]);
    this.ranLanguage = language;
    this.checker = new Checker(
      this.slug,
      () => !this.running,
      (lang, source, report) => this.checked(lang, source, report),
    );
    this.drafts = new Drafts(
      this.slug,
      (sentence) => (need("[data-saved]", root).textContent = sentence),
      (lang, source) => void this.checker.check(lang, source),
    );
    this.editors = new Editors(root, language, {
      changed: (lang, source) => this.changed(lang, source),
      submit: () => void this.submit(),
      save: () => void this.save(),
    });
    this.panel = new Panel(root, {
      reveal: (line, column, end) => this.reveal(line, column, end),
      mark: (line) => this.editors.language === this.ranLanguage && this.editors.current.mark(line),
      language: () => this.ranLanguage,
    });
    need("[data-submit]", root).addEventListener("click", () => void this.submit());
    need("[data-cancel]", root).addEventListener("click", () => void this.cancel());
    setUpReset(root, this.editors, this.drafts);
    setUpHelp(root, this.slug, () => this.editors.language);
  }

  /** Shows the submission that the page names: its verdict, or its stream where it is still running. */
  async start(): Promise<void> {
    const id = this.root.dataset["submission"];
    if (!id) return;
    const before = this.running;
    try {
      const submission = await call<Submission>("GET", `/api/submissions/${id}`);
      if (this.running !== before) return; // a newer one was begun in the meantime
      this.ranLanguage = submission.language;
      if (submission.verdict) this.finish(submission.verdict, false);
      else this.follow(id, `/api/submissions/${id}/events`);
    } catch {
      // The server's sentence about it is already on the page.
    }
  }

  private changed(language: Language, source: string): void {
    this.checker.forget();
    this.sayChecked("");
    this.drafts.changed(language, source);
  }

  /** Compiler messages of a draft, where the program is still the same and no verdict is on its way. */
  private checked(language: Language, source: string, report: DraftReport): void {
    if (this.running || language !== this.editors.language || source !== this.editors.current.text()) return;
    this.editors.diagnose(language, report.diagnostics);
    const count = report.diagnostics.filter((diagnostic) => diagnostic.severity === "error").length;
    this.sayChecked(report.code === "accepted" ? t("draft_fine") : count ? t("draft_errors", { count }) : "");
  }

  private sayChecked(sentence: string): void {
    need("[data-checked]", this.root).textContent = sentence;
  }

  private async submit(): Promise<void> {
    if (this.running) {
      toast(t("already_running"));
      return;
    }
    this.setRunning("starting");
    this.checker.forget();
    this.sayChecked("");
    this.panel.begin();
    unfold("results");
    this.ranLanguage = this.editors.language;
    const source = this.editors.current.text();
    try {
      const started = await call<Started>("POST", `/api/exercises/${this.slug}/submissions`, { language: this.ranLanguage, source });
      this.drafts.settled(this.ranLanguage);
      need("[data-saved]", this.root).textContent = t("saved_at", { time: shortTime(new Date()) });
      slideTo("results");
      this.record(started);
      this.follow(started.id, started.events);
    } catch (error) {
      this.refused(error);
    }
  }

  private refused(error: unknown): void {
    this.setRunning("");
    const api = error instanceof ApiError ? error : new ApiError(0, "offline", "");
    const running = api.code === "already_running" ? String(api.details["submission"] ?? "") : "";
    if (running) {
      toast(api.message || t("already_running"));
      this.follow(running, `/api/submissions/${running}/events`);
      return;
    }
    this.panel.say(api.message || t("offline"), "bad");
    void this.drafts.flush();
  }

  private follow(id: string, events: string): void {
    this.close?.();
    this.setRunning(id);
    this.panel.begin();
    this.editors.diagnose(this.ranLanguage, []);
    this.close = openStream(events, {
      message: (message) => this.received(message),
      reconnecting: () => this.panel.say(t("reconnecting")),
      lost: () => void this.recover(id),
    });
  }

  /** The stream ended without a verdict: ask for the row itself, once. */
  private async recover(id: string): Promise<void> {
    const submission = await call<Submission>("GET", `/api/submissions/${id}`).catch(() => null);
    if (submission?.verdict) this.finish(submission.verdict, true);
    else {
      this.setRunning("");
      this.panel.say(t("stream_lost"), "bad");
    }
  }

  private received(message: Message): void {
    if (message.type === "verdict") {
      this.finish(message.data as VerdictView, true);
      return;
    }
    if (message.type === "compiled") this.editors.diagnose(this.ranLanguage, (message.data as { diagnostics: Diagnostic[] }).diagnostics);
    this.panel.receive(message);
  }

  private finish(verdict: VerdictView, fresh: boolean): void {
    this.setRunning("");
    this.panel.finish(verdict);
    this.editors.diagnose(this.ranLanguage, verdict.diagnostics);
    if (!fresh) return;
    this.updateHistory(verdict);
    const dot = find("[data-results-dot]", this.root);
    if (dot && narrow.matches && location.hash !== "#results") dot.hidden = false;
    if (verdict.code === "accepted") this.solved();
    else if (verdict.code !== "cancelled" && verdict.code !== "grader_fault") offerHelp(this.root, ++this.wrong);
  }

  private solved(): void {
    openSolution(this.root);
    void showExplanation(this.slug, this.ranLanguage).catch(() => undefined); // the page has it after a reload
    const state = need(".bench-head .state", this.root);
    const tick = document.createElementNS("http://www.w3.org/2000/svg", "path");
    tick.setAttribute("d", "m6 10.2 2.7 2.7 5.3-5.6");
    state.setAttribute("class", "state done");
    state.setAttribute("aria-label", t("solved"));
    state.querySelector("path")?.remove();
    state.append(tick);
  }

  private record(started: Started): void {
    this.root.dataset["submission"] = started.id;
    history.replaceState(history.state, "", `${started.url}${location.hash}`);
    const list = need("[data-history]", this.root);
    find("[data-empty]", list)?.remove();
    const link = h("a", { href: started.url }, shortTime(new Date()));
    const language = this.ranLanguage === "cpp" ? "C++" : "Python";
    list.prepend(h("li", { "data-row": started.id }, link, h("span", { class: "label" }, language), h("span", { class: "fine" }, t("running_label"))));
  }

  private updateHistory(verdict: VerdictView): void {
    const row = find(`[data-row="${this.root.dataset["submission"]}"]`, this.root);
    if (!row) return;
    const label = need(".label", row);
    label.className = `label ${verdict.code === "accepted" ? "good" : "bad"}`;
    if (verdict.total) label.append(` ${verdict.passed}/${verdict.total}`);
    need(".fine", row).textContent = verdict.sentence;
  }

  private async cancel(): Promise<void> {
    if (!this.running || this.running === "starting") return;
    await call("POST", `/api/submissions/${this.running}/cancel`, undefined, "at once").catch((error) => toast(error instanceof ApiError && error.message ? error.message : t("offline")));
  }

  private async save(): Promise<void> {
    this.drafts.changed(this.editors.language, this.editors.current.text());
    await this.drafts.flush();
  }

  private reveal(line: number, column?: number, end?: number): void {
    if (this.editors.language !== this.ranLanguage) this.editors.show(this.ranLanguage);
    unfold("editor");
    slideTo("editor");
    this.editors.current.reveal(line, column, end);
  }

  private setRunning(id: string): void {
    this.running = id;
    const button = need<HTMLButtonElement>("[data-submit]", this.root);
    button.setAttribute("aria-disabled", String(Boolean(id)));
    const cancel = need("[data-cancel]", this.root);
    if (!id && document.activeElement === cancel) button.focus({ preventScroll: true });
    cancel.hidden = !id;
    for (const part of all(".results-pane", this.root)) part.ariaBusy = String(Boolean(id));
  }
}
