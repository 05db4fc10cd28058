/** The arithmetic that cudnnGetConvolution2dForwardOutputDim does, and the tiny sums shown beside it. */

export interface Geometry {
  size: number;
  kernel: number;
  pad: number;
  stride: number;
  dilation: number;
}

/** Rows (or columns) that the dilated kernel covers: 1 + (r - 1) * dilation. */
export function reach(g: Geometry): number {
  return 1 + (g.kernel - 1) * g.dilation;
}

/** 1 + floor((size + 2 pad - reach) / stride); 0 where the kernel does not fit. */
export function outputSize(g: Geometry): number {
  const room = g.size + 2 * g.pad - reach(g);
  return room < 0 ? 0 : 1 + Math.floor(room / g.stride);
}

/** Rows at the end of the padded input that no window ever reaches. */
export function unused(g: Geometry): number {
  const out = outputSize(g);
  return out === 0 ? 0 : g.size + 2 * g.pad - ((out - 1) * g.stride + reach(g));
}

/** Whether an element of the padded input is of the input itself. */
export function isInput(g: Geometry, row: number, column: number): boolean {
  return row >= g.pad && column >= g.pad && row < g.pad + g.size && column < g.pad + g.size;
}

/** Input value of the picture, from 0 to 9; 0 in the padding. */
export function inputAt(g: Geometry, row: number, column: number): number {
  const [r, c] = [row - g.pad, column - g.pad];
  return isInput(g, row, column) ? (r * 3 + c * 5 + ((r * c) % 4)) % 10 : 0;
}

/** Weight of the picture's kernel, from -1 to 2. */
export function weightAt(row: number, column: number): number {
  return ((row * 2 + column * 3 + 1) % 4) - 1;
}

export interface Tap {
  row: number;
  column: number;
  input: number;
  weight: number;
}

/** The products that make output element (p, q). `flip`: true convolution turns the kernel by 180 degrees. */
export function taps(g: Geometry, p: number, q: number, flip: boolean): Tap[] {
  const found: Tap[] = [];
  for (let r = 0; r < g.kernel; r++)
    for (let s = 0; s < g.kernel; s++) {
      const [row, column] = [p * g.stride + r * g.dilation, q * g.stride + s * g.dilation];
      const weight = flip ? weightAt(g.kernel - 1 - r, g.kernel - 1 - s) : weightAt(r, s);
      found.push({ row, column, input: inputAt(g, row, column), weight });
    }
  return found;
}

export function sum(list: Tap[]): number {
  return list.reduce((total, tap) => total + tap.input * tap.weight, 0);
}
