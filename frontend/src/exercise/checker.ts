/** Has a draft compiled in the background while one pauses; nothing is run. */
import { call } from "../lib/api";
import type { DraftReport, Language } from "../lib/types";

/** Longer programs are refused as submissions too. */
const MAX_LENGTH = 200_000;
/** A grader that has no time for a draft, or stopped it for a submission, is asked again after these pauses. */
const PAUSES_S = [3, 6, 12, 24, 48, 96];
const NO_TIME: readonly string[] = ["busy", "cancelled"];

export class Checker {
  private latest = 0;

  /** idle: whether no program of this page is running; while one is, nothing is asked. */
  constructor(
    private readonly slug: string,
    private readonly idle: () => boolean,
    private readonly show: (language: Language, source: string, report: DraftReport) => void,
  ) {}

  /** Shows what the compiler says, unless something newer was asked, or `forget` called, in the meantime. */
  async check(language: Language, source: string): Promise<void> {
    if (!source.trim() || source.length > MAX_LENGTH) return;
    const number = ++this.latest;
    for (const pause of PAUSES_S) {
      const report = this.idle() ? await this.ask(language, source) : null;
      if (number !== this.latest) return;
      if (report?.state === "compiled") this.show(language, source, report);
      if (report && !NO_TIME.includes(report.state)) return;
      await new Promise((done) => setTimeout(done, pause * 1000));
      if (number !== this.latest) return;
    }
  }

  forget(): void {
    this.latest++;
  }

  private ask(language: Language, source: string): Promise<DraftReport | null> {
    return call<DraftReport>("POST", `/api/exercises/${this.slug}/draft/compile`, { language, source }, "at once").catch(() => null);
  }
}
