/** How the types of a layer round a number: to the nearest, ties to even. */

export interface Format {
  name: string;
  exponent: number;
  mantissa: number;
  bytes: number;
}

/** TF32 is no storage type: a Tensor Core rounds FP32 operands to it. */
export const FORMATS: Format[] = [
  { name: "FP32", exponent: 8, mantissa: 23, bytes: 4 },
  { name: "TF32", exponent: 8, mantissa: 10, bytes: 4 },
  { name: "FP16", exponent: 5, mantissa: 10, bytes: 2 },
  { name: "BF16", exponent: 8, mantissa: 7, bytes: 2 },
];

function nearestEven(value: number): number {
  const low = Math.floor(value);
  const rest = value - low;
  return rest > 0.5 || (rest === 0.5 && low % 2 !== 0) ? low + 1 : low;
}

/** `value` in `format`, subnormal numbers included; infinite beyond the largest number. */
export function rounded(value: number, format: Format): number {
  if (value === 0 || !Number.isFinite(value)) return value;
  const bias = 2 ** (format.exponent - 1) - 1;
  const exponent = Math.max(floorLog2(Math.abs(value)), 1 - bias);
  const unit = 2 ** (exponent - format.mantissa);
  const near = nearestEven(Math.abs(value) / unit) * unit;
  const largest = (2 - 2 ** -format.mantissa) * 2 ** bias;
  return Math.sign(value) * (near > largest ? Infinity : near);
}

function floorLog2(value: number): number {
  const guess = Math.floor(Math.log2(value));
  return 2 ** guess > value ? guess - 1 : 2 ** (guess + 1) <= value ? guess + 1 : guess;
}

/** Sign, exponent and mantissa bits of a number that `format` holds. */
export function bits(value: number, format: Format): [string, string, string] {
  const bias = 2 ** (format.exponent - 1) - 1;
  const sign = value < 0 || Object.is(value, -0) ? "1" : "0";
  const size = Math.abs(value);
  const write = (exponent: number, mantissa: number): [string, string, string] => [sign, exponent.toString(2).padStart(format.exponent, "0"), mantissa.toString(2).padStart(format.mantissa, "0")];
  if (!Number.isFinite(size)) return write(2 * bias + 1, 0);
  if (size < 2 ** (1 - bias)) return write(0, size / 2 ** (1 - bias - format.mantissa));
  const exponent = floorLog2(size);
  return write(exponent + bias, (size / 2 ** exponent - 1) * 2 ** format.mantissa);
}

/** INT8 with a scale: the integer that is stored, from -128 to 127, and the number that it stands for. */
export function quantised(value: number, scale: number): { stored: number; value: number } {
  const stored = Math.min(Math.max(nearestEven(value / scale), -128), 127);
  return { stored, value: stored * scale };
}
