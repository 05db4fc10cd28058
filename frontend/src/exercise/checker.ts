/** Has a draft compiled in the background while one pauses; nothing is run. */
import { call } from "../lib/api";
import type { DraftReport, Language } from "../lib/types";

/** Longer programs are refused as submissions too. */
const MAX_LENGTH = 200_000;

export class Checker {
  private latest = 0;

  constructor(
    private readonly slug: string,
    private readonly show: (language: Language, source: string, report: DraftReport) => void,
  ) {}

  /** Shows what the compiler says, unless something newer was asked, or `forget` called, in the meantime. */
  async check(language: Language, source: string): Promise<void> {
    if (!source.trim() || source.length > MAX_LENGTH) return;
    const number = ++this.latest;
    const report = await call<DraftReport>("POST", `/api/exercises/${this.slug}/draft/compile`, { language, source }).catch(() => null);
    if (report?.state === "compiled" && number === this.latest) this.show(language, source, report);
  }

  forget(): void {
    this.latest++;
  }
}
