/** Shapes of the heat map: pure geometry, one path for each level, so that 16,384 cells are ten elements. */

export const CELL = 12;

export interface Slice {
  rows: number;
  columns: number;
  /** Position of the slice's first element in the whole output, row-major. */
  offset: number;
}

/** The plane of the last two dimensions at `lead`, an index into the dimensions before them. One-dimensional outputs wrap. */
export function sliceAt(shape: number[], lead: number[]): Slice {
  if (shape.length < 2) return { rows: Math.ceil((shape[0] ?? 1) / 32), columns: Math.min(shape[0] ?? 1, 32), offset: 0 };
  const rows = shape.at(-2) ?? 1;
  const columns = shape.at(-1) ?? 1;
  const flat = lead.reduce((sum, at, i) => sum * (shape[i] ?? 1) + at, 0);
  return { rows, columns, offset: flat * rows * columns };
}

/** The index of a cell in the output's own dimensions. */
export function indexOf(shape: number[], lead: number[], row: number, column: number): number[] {
  return shape.length < 2 ? [row * 32 + column] : [...lead, row, column];
}

/** Levels 0..9 as SVG path data; size and form grow with the error, colour comes from the class. */
export function levelPaths(heat: string, slice: Slice): string[] {
  const paths = Array.from({ length: 10 }, () => "");
  for (let row = 0; row < slice.rows; row++)
    for (let column = 0; column < slice.columns; column++) {
      const level = Number(heat[slice.offset + row * slice.columns + column] ?? "-1");
      if (level >= 0) paths[level] += cellPath(level, column * CELL, row * CELL);
    }
  return paths;
}

function cellPath(level: number, x: number, y: number): string {
  if (level === 0) return square(x + 4.5, y + 4.5, 3); // right: a dot
  if (level === 1) return square(x + 3.5, y + 3.5, 5); // close to the limit: a larger dot
  if (level < 9) {
    const inset = 3.2 - (level - 2) * 0.45; // wrong: a diamond that grows
    return `M${x + 6} ${y + inset}L${x + 12 - inset} ${y + 6}L${x + 6} ${y + 12 - inset}L${x + inset} ${y + 6}z`;
  }
  // NaN, infinity or beyond all measure: a saltire
  return `M${x + 1} ${y + 3}l2-2 3 3 3-3 2 2-3 3 3 3-2 2-3-3-3 3-2-2 3-3z`;
}

function square(x: number, y: number, size: number): string {
  return `M${x} ${y}h${size}v${size}h${-size}z`;
}

/** Lead indices of the slices that hold an error, in order. */
export function wrongSlices(heat: string, shape: number[]): number[][] {
  if (shape.length < 3) return [];
  const plane = (shape.at(-1) ?? 1) * (shape.at(-2) ?? 1);
  const found: number[][] = [];
  for (let slice = 0; slice * plane < heat.length; slice++)
    if (/[2-9]/.test(heat.slice(slice * plane, (slice + 1) * plane))) found.push(unflatten(slice, shape.slice(0, -2)));
  return found;
}

function unflatten(flat: number, dims: number[]): number[] {
  const index: number[] = [];
  for (const size of dims.toReversed()) {
    index.unshift(flat % size);
    flat = Math.floor(flat / size);
  }
  return index;
}
