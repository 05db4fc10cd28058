/** Names beside marks of a plot: each near its mark, none over another name or another mark. */

export interface Mark {
  x: number;
  y: number;
  text: string;
}

export interface Place {
  x: number;
  y: number;
  /** Whether the name ends at `x`, to the left of its mark. */
  leftward: boolean;
  /** Whether it stands so far away that a line must lead to it. */
  led: boolean;
}

interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

const RADIUS = 8;
/** Width of a character of 11 px, and height of a name. */
const [CHARACTER, LINE] = [5.6, 13];
const FAR = 12;

function overlap(a: Box, b: Box): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

/** Offsets from near to far: 0, 1, -1, 2, -2, … in lines. */
const STEPS = Array.from({ length: 2 * FAR + 1 }, (_, i) => (i % 2 ? 1 : -1) * Math.ceil(i / 2) * LINE);

/** Places the names in the order of `marks` inside `frame`; the first ones get the places beside their marks. */
export function places(marks: Mark[], frame: Box): Place[] {
  const taken = marks.map(({ x, y }): Box => ({ left: x - RADIUS, right: x + RADIUS, top: y - RADIUS, bottom: y + RADIUS }));
  return marks.map((mark, i) => {
    const all = candidates(mark, frame);
    const own = taken[i];
    const free = all.find(({ box }) => inside(box, frame) && !taken.some((other) => other !== own && overlap(box, other)));
    const { place, box } = free ?? (all[0] as Candidate);
    taken.push(box);
    return place;
  });
}

interface Candidate {
  place: Place;
  box: Box;
}

function candidates({ x, y, text }: Mark, frame: Box): Candidate[] {
  const leftFirst = x > frame.left + (frame.right - frame.left) * 0.6;
  return STEPS.flatMap((step) =>
    [leftFirst, !leftFirst].map((leftward): Candidate => {
      const gap = (step ? 20 : 11) * (leftward ? -1 : 1);
      const [near, far] = [x + gap, x + gap + (leftward ? -1 : 1) * text.length * CHARACTER];
      const box = { left: Math.min(near, far), right: Math.max(near, far), top: y + step - LINE / 2, bottom: y + step + LINE / 2 };
      return { place: { x: near, y: y + step, leftward, led: step !== 0 }, box };
    }),
  );
}

function inside(box: Box, frame: Box): boolean {
  return box.left >= frame.left && box.right <= frame.right && box.top >= frame.top && box.bottom <= frame.bottom;
}
