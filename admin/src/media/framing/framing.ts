/** Points and areas of a picture, as fractions of its sides. */

/** From the left, from the top. */
export type Point = [x: number, y: number];
/** From the left, from the top, width, height. */
export type Area = [x: number, y: number, width: number, height: number];

/** The place of the point unless somebody has put it elsewhere. */
export const CENTRE: Point = [0.5, 0.5];
/** All of a picture. */
export const WHOLE: Area = [0, 0, 1, 1];

/** The smallest side of an area that counts as drawn: less is a click. */
const DRAWN_MIN = 0.02;

/** Four decimals, as the server keeps them. */
const round = (fraction: number) => Math.round(Math.min(Math.max(fraction, 0), 1) * 10_000) / 10_000;

/** The point that the server gave. */
export function pointOf(value: readonly number[] | null): Point | undefined {
  const [x, y] = value ?? [];
  return x === undefined || y === undefined ? undefined : [x, y];
}

/** An area that lies within the picture; nothing if it has no size. */
export function areaOf(value: readonly number[] | null): Area | undefined {
  const [x, y, width, height] = value ?? [];
  if (x === undefined || y === undefined || width === undefined || height === undefined) return undefined;
  const area: Area = [round(x), round(y), round(Math.min(width, 1 - round(x))), round(Math.min(height, 1 - round(y)))];
  return area[2] > 0 && area[3] > 0 ? area : undefined;
}

/** The point of a picture on the page where somebody clicked. */
export function pointAt(clientX: number, clientY: number, box: Pick<DOMRect, 'left' | 'top' | 'width' | 'height'>): Point {
  return [round((clientX - box.left) / (box.width || 1)), round((clientY - box.top) / (box.height || 1))];
}

/** The area between two points; nothing if it is too small to be meant. */
export function areaBetween([ax, ay]: Point, [bx, by]: Point): Area | undefined {
  const [width, height] = [Math.abs(ax - bx), Math.abs(ay - by)];
  return width < DRAWN_MIN || height < DRAWN_MIN ? undefined : areaOf([Math.min(ax, bx), Math.min(ay, by), width, height]);
}

/** The point after an arrow key; nothing for other keys. */
export function moveBy([x, y]: Point, key: string, step: number): Point | undefined {
  switch (key) {
    case 'ArrowLeft':
      return [round(x - step), y];
    case 'ArrowRight':
      return [round(x + step), y];
    case 'ArrowUp':
      return [x, round(y - step)];
    case 'ArrowDown':
      return [x, round(y + step)];
    default:
      return undefined;
  }
}
