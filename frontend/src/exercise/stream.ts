/** The event stream of one submission: reconnects by itself, and closes when the verdict is there or the page goes. */
import { lang } from "../lib/strings";
import type { Message } from "../lib/types";

const TYPES = ["queued", "compiling", "compiled", "running", "case", "verdict"] as const;

export interface Listener {
  message(message: Message): void;
  /** The server said no for good (the submission is gone): nothing more will come. */
  lost(): void;
  /** The connection broke and the browser is trying again. */
  reconnecting?(): void;
}

/** Gives back a function that closes the stream. */
export function openStream(path: string, listener: Listener): () => void {
  const url = new URL(path, location.origin);
  url.searchParams.set("lang", lang);
  const source = new EventSource(url);
  const close = (): void => {
    source.close();
    removeEventListener("pagehide", close);
  };
  for (const type of TYPES)
    source.addEventListener(type, (event) => {
      const message = JSON.parse((event as MessageEvent<string>).data) as Message;
      if (type === "verdict") close();
      listener.message(message);
    });
  source.addEventListener("error", () => {
    if (source.readyState === EventSource.CLOSED) {
      close();
      listener.lost();
    } else listener.reconnecting?.();
  });
  // About six connections an origin under HTTP/1.1: a page that is left must not keep one.
  addEventListener("pagehide", close);
  return close;
}
