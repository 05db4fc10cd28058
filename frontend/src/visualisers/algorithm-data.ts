/** The recorded forward algorithms of each layer, read from the record that the lessons quote. */
import { cudnn, device, layers } from "../../../lessons/records/h200-cudnn-9.19.json";

export interface Run {
  algorithm: string;
  /** Bytes of workspace. */
  workspace: number;
  /** Milliseconds on the device, median; undefined where cuDNN refused the algorithm. */
  ms?: number;
}

export interface Layer {
  name: string;
  runs: Run[];
}

export const LAYERS: Layer[] = layers.map((layer) => ({
  name: `${layer.layer}: x [${layer.x.join(", ")}], w [${layer.w.join(", ")}], ${layer.type}, ${layer.layout}${layer.math === "DEFAULT" ? "" : `, ${layer.math}_MATH`}`,
  runs: layer.runs.map((run) => ({
    algorithm: run.algo,
    workspace: "workspace" in run && typeof run.workspace === "number" ? run.workspace : 0,
    ...("device_ms" in run && typeof run.device_ms === "number" && !("status" in run && run.status) ? { ms: run.device_ms } : {}),
  })),
}));

export const SOURCE = { device, version: `${Math.floor(cudnn / 10000)}.${Math.floor((cudnn % 10000) / 100)}.${cudnn % 100}` };

/** The fastest run whose workspace fits into `budget` bytes. */
export function fastest(runs: Run[], budget: number): Run | undefined {
  return runs.filter((run) => run.ms !== undefined && run.workspace <= budget).sort((a, b) => (a.ms ?? 0) - (b.ms ?? 0))[0];
}

/** Bytes as a person reads them: 0, 1.5 KiB, 24.6 MiB. */
export function bytes(count: number): string {
  if (count < 1024) return `${count} B`;
  const [unit, name] = count < 2 ** 20 ? [2 ** 10, "KiB"] : count < 2 ** 30 ? [2 ** 20, "MiB"] : [2 ** 30, "GiB"];
  return `${Number((count / unit).toPrecision(3))} ${name}`;
}
