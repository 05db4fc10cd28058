/** Which call the cursor stands in, and the parameters of a declaration. Pure functions over text. */

export interface CallAt {
  name: string;
  /** From 0. */
  argument: number;
}

/** `before` is the text up to the cursor. Strings and comments on the way are stepped over only roughly: it is a hint. */
export function enclosingCall(before: string): CallAt | null {
  let depth = 0;
  let argument = 0;
  for (let i = before.length - 1; i >= 0; i--) {
    const c = before[i];
    if (c === ")" || c === "]" || c === "}") depth++;
    else if (c === "(" && depth === 0) {
      const name = /(\w+)\s*$/.exec(before.slice(0, i))?.[1];
      return name ? { name, argument } : null;
    } else if (c === "(" || c === "[" || c === "{") {
      if (--depth < 0) return null;
    } else if (c === "," && depth === 0) argument++;
    else if (c === ";" && depth === 0) return null;
  }
  return null;
}

/** Splits "int f(int a, float *b)" into "int f(", ["int a", "float *b"] and ")". */
export function splitParameters(declaration: string): { before: string; parameters: string[]; after: string } {
  const open = declaration.indexOf("(");
  const close = declaration.lastIndexOf(")");
  if (open < 0 || close < open) return { before: declaration, parameters: [], after: "" };
  const parameters = declaration
    .slice(open + 1, close)
    .split(",")
    .map((part) => part.trim())
    .filter(Boolean);
  return { before: declaration.slice(0, open + 1), parameters, after: declaration.slice(close) };
}
