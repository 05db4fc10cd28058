/** Calls to the server. Errors carry the server's own sentence in the reader's language. */
import { lang } from "./strings";

export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly details: Record<string, unknown> = {},
  ) {
    super(message);
  }
}

type Method = "GET" | "POST" | "PUT" | "DELETE";

/** When a call is sent: behind the changes made before it, beside them, or beside them by a page that is being left. */
type When = "in turn" | "at once" | "leaving";

let changes: Promise<unknown> = Promise.resolve();

/**
 * Sends JSON and gives back JSON. Raises ApiError; code "offline" where no answer came.
 *
 * Changes go one after the other: an older draft must not overtake a newer one, and only the answer to the first change
 * tells the browser which guest it is (two sent at once would make two guests, and one of them would own the submission).
 */
export function call<T>(method: Method, path: string, body?: unknown, when: When = method === "GET" ? "at once" : "in turn"): Promise<T> {
  if (when !== "in turn") return send<T>(method, path, body, when === "leaving");
  const answer = changes.then(() => send<T>(method, path, body, false));
  changes = answer.catch(() => undefined);
  return answer;
}

async function send<T>(method: Method, path: string, body: unknown, keepalive: boolean): Promise<T> {
  const url = new URL(path, location.origin);
  url.searchParams.set("lang", lang);
  const init: RequestInit = { method, headers: { Accept: "application/json" }, keepalive };
  if (body !== undefined) {
    init.body = JSON.stringify(body);
    init.headers = { Accept: "application/json", "Content-Type": "application/json" };
  }
  const response = await fetch(url, init).catch(() => {
    throw new ApiError(0, "offline", "");
  });
  const data = (await response.json().catch(() => ({}))) as Record<string, unknown>;
  if (!response.ok) throw new ApiError(response.status, String(data["error"] ?? "server_error"), sentence(data), data);
  return data as T;
}

function sentence(data: Record<string, unknown>): string {
  return [data["message"], data["mend"]].filter((part) => typeof part === "string" && part).join(" ");
}
