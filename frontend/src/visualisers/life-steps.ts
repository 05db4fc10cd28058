/** The stories that the life-of-descriptors picture tells: calls in order, and what each does to which object. */

export const LANES = ["handle", "x", "w", "conv", "y", "workspace"] as const;
export type Lane = (typeof LANES)[number];
export type State = "absent" | "made" | "ready" | "gone";

export interface Step {
  call: string;
  changes?: Partial<Record<Lane, State>>;
  uses?: Lane[];
  /** Key of a sentence about what went wrong here. */
  trouble?: string;
}

const MAKE: Step[] = [
  { call: "cudnnCreate(&handle)", changes: { handle: "ready" } },
  { call: "cudnnCreateTensorDescriptor(&x)", changes: { x: "made" } },
  { call: "cudnnSetTensor4dDescriptor(x, …)", changes: { x: "ready" } },
  { call: "cudnnCreateFilterDescriptor(&w)", changes: { w: "made" } },
  { call: "cudnnSetFilter4dDescriptor(w, …)", changes: { w: "ready" } },
  { call: "cudnnCreateConvolutionDescriptor(&conv)", changes: { conv: "made" } },
  { call: "cudnnSetConvolution2dDescriptor(conv, …)", changes: { conv: "ready" } },
  { call: "cudnnGetConvolution2dForwardOutputDim(conv, x, w, …)", uses: ["conv", "x", "w"] },
  { call: "cudnnCreateTensorDescriptor(&y)", changes: { y: "made" } },
  { call: "cudnnSetTensor4dDescriptor(y, …)", changes: { y: "ready" } },
  { call: "cudnnGetConvolutionForwardWorkspaceSize(handle, …)", uses: ["handle", "x", "w", "conv", "y"] },
  { call: "cudaMalloc(&workspace, bytes)", changes: { workspace: "ready" } },
];

const USE: Step = { call: "cudnnConvolutionForward(handle, …)", uses: ["handle", "x", "w", "conv", "y", "workspace"] };

const END: Step[] = [
  { call: "cudaFree(workspace)", changes: { workspace: "gone" } },
  { call: "cudnnDestroyTensorDescriptor(y)", changes: { y: "gone" } },
  { call: "cudnnDestroyConvolutionDescriptor(conv)", changes: { conv: "gone" } },
  { call: "cudnnDestroyFilterDescriptor(w)", changes: { w: "gone" } },
  { call: "cudnnDestroyTensorDescriptor(x)", changes: { x: "gone" } },
  { call: "cudnnDestroy(handle)", changes: { handle: "gone" } },
];

function without(steps: Step[], call: string): Step[] {
  return steps.filter((step) => !step.call.startsWith(call));
}

/** By name: a good program, and what happens when one thing is forgotten. */
export const STORIES: Record<string, Step[]> = {
  good: [...MAKE, USE, USE, ...END],
  leak: [...MAKE, USE, USE, ...END.filter((step) => !step.changes?.x), { call: "return 0", trouble: "life_leaked_x" }],
  unset: [...without(MAKE, "cudnnSetFilter4dDescriptor").map((step) => (step.call.startsWith("cudnnGetConvolution2d") ? { ...step, trouble: "life_unset_w" } : step)).slice(0, 7)],
  early: [...MAKE, { call: "cudnnDestroyFilterDescriptor(w)", changes: { w: "gone" } }, { ...USE, trouble: "life_used_after" }],
};

export function stateAt(steps: Step[], until: number, lane: Lane): State {
  let state: State = "absent";
  for (const step of steps.slice(0, until + 1)) state = step.changes?.[lane] ?? state;
  return state;
}

export interface Bar {
  state: "made" | "ready";
  from: number;
  to: number;
  /** Already happened at the step looked at. */
  seen: boolean;
}

/** The stretches of a lane in which the object exists, cut where its state changes and at the step `now`. */
export function bars(steps: Step[], lane: Lane, now: number): Bar[] {
  const found: Bar[] = [];
  steps.forEach((_, i) => {
    const state = stateAt(steps, i, lane);
    if (state !== "made" && state !== "ready") return;
    const seen = i <= now;
    const last = found.at(-1);
    if (last?.to === i && last.state === state && last.seen === seen) last.to = i + 1;
    else found.push({ state, from: i, to: i + 1, seen });
  });
  return found;
}
