/** Loads a visualiser's code when one comes near the screen. */
import { all } from "../lib/dom";

const LOADERS: Record<string, () => Promise<unknown>> = {
  convolution: () => import("./convolution"),
  layout: () => import("./layout"),
  life: () => import("./descriptor-life"),
  algorithms: () => import("./algorithms"),
  blending: () => import("./blending"),
  pooling: () => import("./pooling"),
  softmax: () => import("./softmax"),
  rounding: () => import("./rounding"),
  order: () => import("./sum-order"),
  groups: () => import("./groups"),
};

/** `<fp-visualiser name="convolution" data-…>` becomes `<fp-convolution data-…>`. */
export function loadVisualisers(): void {
  const near = new IntersectionObserver(
    (entries) => {
      for (const entry of entries)
        if (entry.isIntersecting) {
          near.unobserve(entry.target);
          void bringToLife(entry.target as HTMLElement);
        }
    },
    { rootMargin: "400px" },
  );
  for (const element of all("fp-visualiser")) near.observe(element);
}

const TAGS: Record<string, string> = {
  convolution: "fp-convolution",
  layout: "fp-layout",
  life: "fp-descriptor-life",
  algorithms: "fp-algorithms",
  blending: "fp-blending",
  pooling: "fp-pooling",
  softmax: "fp-softmax",
  rounding: "fp-rounding",
  order: "fp-sum-order",
  groups: "fp-groups",
};

async function bringToLife(holder: HTMLElement): Promise<void> {
  const name = holder.getAttribute("name") ?? "";
  const tag = TAGS[name];
  const load = LOADERS[name];
  if (!tag || !load) return;
  await load();
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(holder.dataset)) element.dataset[key] = value;
  holder.replaceChildren(element);
}
