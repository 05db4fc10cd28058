/** The server's JSON, as docs/pages.md describes it. */

export interface Started {
  id: string;
  status: string;
  position: number;
  url: string;
  events: string;
}

export interface Diagnostic {
  line: number;
  column: number;
  end_column: number;
  severity: "error" | "warning" | "note";
  message: string;
}

/** What became of a draft that was compiled in the background. */
export interface DraftReport {
  state: "compiled" | "cancelled" | "busy" | "failed" | "off";
  code: string;
  diagnostics: Diagnostic[];
  seconds: number;
  cached: boolean;
}

export interface BadElement {
  index: number[];
  expected: string;
  yours: string;
  difference: string;
  ratio: number;
}

export interface Comparison {
  name: string;
  dtype: string;
  shape: number[];
  count: number;
  bad: number;
  max_abs_err: number;
  mean_abs_err: number;
  worst_index: number[];
  rtol: number;
  atol: number;
  nan_count: number;
  inf_count: number;
  rows: BadElement[];
  heat: string;
  pattern: string;
  problem: string;
  sentence: string;
}

export interface CaseView {
  name: string;
  shown: boolean;
  code: string;
  code_label: string;
  sentence: string;
  seconds: number;
  parameters: Record<string, unknown>;
  outputs: Comparison[];
  stdout: string;
  data: Record<string, unknown>;
}

export interface Call {
  index: number;
  name: string;
  args: Record<string, unknown>;
  outs: Record<string, unknown>;
  status: number | null;
  status_name: string;
  micros: number;
  gpu_us: number | null;
  at: number;
  reason: string;
  line: number;
  /** Lines that the function with that line was called from, innermost first; older results lack it. */
  via?: number[];
  case: string;
  thread: number;
  url: string;
  status_url: string;
}

export interface Finding {
  rule: string;
  severity: "required" | "advised" | "info";
  call: number | null;
  line: number;
  sentence: string;
  url: string;
}

export interface Backend {
  name: "simulated" | "gpu";
  cudnn_version: number;
  device: string;
  driver: string;
}

export interface VerdictView {
  code: string;
  code_label: string;
  sentence: string;
  explanation: string;
  backend: Backend | null;
  seed: number;
  passed: number;
  total: number;
  first_failed: string;
  cases: CaseView[];
  diagnostics: Diagnostic[];
  findings: Finding[];
  calls: Call[];
  calls_dropped: number;
  stdout: string;
  stderr: string;
  timings: Record<string, number>;
  /** Where the exercise is timed and every case was right; empty otherwise. Seconds. */
  timing?: { seconds?: number[]; median?: number };
}

export interface SubmissionRow {
  id: string;
  exercise: string;
  language: Language;
  status: "queued" | "running" | "done";
  code: string;
  sentence: string;
  backend: string;
  passed: number;
  total: number;
  created_at: string;
  finished_at: string | null;
  url: string;
}

export interface Submission extends SubmissionRow {
  position: number;
  source: string;
  verdict: VerdictView | null;
}

export type Language = "cpp" | "python";

export interface Message {
  type: "queued" | "compiling" | "compiled" | "running" | "case" | "verdict";
  attempt: number;
  data: unknown;
  sentence: string;
}

export interface Completion {
  name: string;
  kind: "function" | "enum" | "value" | "struct";
  cpp: string;
  python: string;
  doc: string;
  deprecated: string;
  url: string;
}

export interface QuizAnswer {
  correct: boolean;
  feedback: string;
  choices: Record<string, string>;
  attempts: number;
  correct_answer?: string | string[] | number | number[];
}
