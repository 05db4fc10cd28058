/** Sentences that the page's templates hand over as JSON, already in the reader's language. */
import { all } from "./dom";

const table: Record<string, string> = {};
for (const block of all("script.strings")) Object.assign(table, JSON.parse(block.textContent || "{}"));

export const lang: "ko" | "en" = document.documentElement.lang === "en" ? "en" : "ko";

/** The sentence called `key`, with {names} replaced. A missing key shows itself, so that tests see it. */
export function t(key: string, values: Record<string, string | number> = {}): string {
  const text = table[key] ?? `[${key}]`;
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => (name in values ? String(values[name]) : whole));
}

const plain = new Intl.NumberFormat(lang, { maximumSignificantDigits: 4 });

const whole = new Intl.NumberFormat(lang);

/** A difference or tolerance, short: 0.25, 1.5e-6; whole numbers below a million in full. */
export function shortNumber(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  const size = Math.abs(value);
  if (Number.isInteger(value) && size < 1e6) return whole.format(value);
  return value !== 0 && (size < 1e-3 || size >= 1e6) ? value.toExponential(2) : plain.format(value);
}

/** Seconds as a length of time that a person reads: 0.8 ms, 43 ms, 2.31 s. */
export function duration(seconds: number): string {
  if (seconds < 0.0095) return `${(seconds * 1000).toFixed(1)} ms`;
  if (seconds < 1) return `${Math.round(seconds * 1000)} ms`;
  return `${seconds.toFixed(2)} s`;
}

export function shortTime(time: Date): string {
  return time.toLocaleTimeString(lang, { hour: "numeric", minute: "2-digit" });
}
