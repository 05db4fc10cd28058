/** Drafts: saved on the server while one types, in this browser where the server cannot be reached. */
import { call } from "../lib/api";
import { forget, keep, kept } from "../lib/store";
import { shortTime, t } from "../lib/strings";
import type { Language } from "../lib/types";

const QUIET_MS = 800;

interface Local {
  source: string;
  at: number;
}

export class Drafts {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private unsaved: { language: Language; source: string } | undefined;

  constructor(
    private readonly slug: string,
    private readonly say: (sentence: string) => void,
    private readonly saved: (language: Language, source: string) => void,
  ) {
    addEventListener("pagehide", () => this.flush(true));
    addEventListener("online", () => void this.flush());
  }

  changed(language: Language, source: string): void {
    if (this.unsaved && this.unsaved.language !== language) void this.flush();
    this.unsaved = { language, source };
    keep(this.key(language), JSON.stringify({ source, at: Date.now() } satisfies Local));
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.flush(), QUIET_MS);
  }

  /** Saves now. `leaving`: the page is going, so the request must outlive it. */
  async flush(leaving = false): Promise<void> {
    clearTimeout(this.timer);
    const draft = this.unsaved;
    if (!draft) return;
    this.unsaved = undefined;
    try {
      const { saved_at } = await call<{ saved_at: string }>("PUT", this.path(), draft, leaving ? "leaving" : "in turn");
      forget(this.key(draft.language));
      this.say(t("saved_at", { time: shortTime(new Date(saved_at)) }));
      if (!leaving) this.saved(draft.language, draft.source);
    } catch {
      this.unsaved ??= draft;
      this.say(t("saved_here"));
    }
  }

  /** Nothing is waiting any more: the server has the program through a submission. */
  settled(language: Language): void {
    if (this.unsaved?.language !== language) return;
    this.unsaved = undefined;
    clearTimeout(this.timer);
    forget(this.key(language));
  }

  /** A draft that never reached the server, newer than what the server has. */
  local(language: Language, savedAt: string): string | null {
    const text = kept(this.key(language));
    if (!text) return null;
    const draft = JSON.parse(text) as Local;
    return draft.at > (Date.parse(savedAt) || 0) ? draft.source : null;
  }

  async reset(language: Language): Promise<string> {
    this.settled(language);
    return (await call<{ source: string }>("DELETE", `${this.path()}?language=${language}`)).source;
  }

  async restore(language: Language): Promise<string> {
    this.settled(language);
    return (await call<{ source: string }>("POST", `${this.path()}/restore?language=${language}`)).source;
  }

  private path(): string {
    return `/api/exercises/${this.slug}/draft`;
  }

  private key(language: Language): string {
    return `draft:${this.slug}:${language}`;
  }
}
