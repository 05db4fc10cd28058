/** Decoded arguments as short text: descriptors by what they hold, pointers by what they point to. */

type Fields = Record<string, unknown>;

/** One line: `tensor#1 FLOAT NCHW [1, 3, 32, 32]`. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined) return "null";
  if (Array.isArray(value)) return value.length > 12 ? `[${value.slice(0, 12).map(valueText).join(", ")}, …]` : `[${value.map(valueText).join(", ")}]`;
  if (typeof value !== "object") return String(value);
  return objectText(value as Fields);
}

function objectText(fields: Fields): string {
  const kind = String(fields["kind"] ?? "");
  if (kind === "null") return "null";
  if (kind === "device" || kind === "host") return pointerText(kind, fields);
  const parts: string[] = fields["id"] ? [String(fields["id"])] : [];
  for (const name of ["dtype", "format", "mode"]) if (fields[name]) parts.push(String(fields[name]));
  for (const name of ["dims", "filter", "pad", "stride", "dilation"]) if (Array.isArray(fields[name])) parts.push(name === "dims" ? valueText(fields[name]) : `${name} ${valueText(fields[name])}`);
  if (fields["live"] === false) parts.push("†");
  return parts.length ? parts.join(" ") : entries(fields).join(", ");
}

function pointerText(kind: string, fields: Fields): string {
  const offset = Number(fields["offset"] ?? 0);
  const bytes = fields["bytes"] === undefined ? "" : ` ${String(fields["bytes"])} B`;
  return `${String(fields["id"] ?? kind)}${offset ? `+${offset}` : ""}${bytes}`;
}

function entries(fields: Fields): string[] {
  return Object.entries(fields).map(([name, value]) => `${name}: ${valueText(value)}`);
}

/** All fields, one a line, for the opened call. */
export function fullText(value: unknown): string {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return valueText(value);
  return entries(value as Fields).join("\n");
}
