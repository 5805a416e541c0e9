/** The look of a preset, computed in the browser so that it follows what is typed. */
import type { MediaItem } from '~/api/schema';
import type { Preset } from './values';

interface Size {
  width: number;
  height: number;
}

/** The part of a picture that variants show, and the point in it that stays in view. */
export interface Framed extends Size {
  focus: readonly [number, number];
}

/** Returns the size and the focal point of what variants show of a picture. */
export function framedOf({ width, height, crop, focus }: MediaItem): Framed | undefined {
  if (!width || !height) return undefined;
  const [left = 0, top = 0, across = 1, down = 1] = crop ?? [];
  const [x = left + across / 2, y = top + down / 2] = focus ?? [];
  const within = (fraction: number) => Math.min(Math.max(fraction, 0), 1);
  return {
    width: width * across,
    height: height * down,
    focus: [within((x - left) / (across || 1)), within((y - top) / (down || 1))],
  };
}

/** Returns the width and the height of what comes of a picture, which is never made larger. */
export function sizeOf({ w, h, fit }: Pick<Preset, 'w' | 'h' | 'fit'>, { width, height }: Size): [number, number] {
  if (w !== null && h !== null && fit !== 'inside') return [w, h];
  const scale = Math.min(w === null ? 1 : w / width, h === null ? 1 : h / height, 1);
  return [Math.round(width * scale), Math.round(height * scale)];
}

/**
 * Returns the place of a picture in a box that shows a part of it, as `object-position` counts: the
 * focal point is in the middle as far as the edges allow. `shown` is the part that is in view.
 */
export function positionOf(focus: number, shown: number): number {
  return shown >= 1 ? 0.5 : Math.min(Math.max((focus - shown / 2) / (1 - shown), 0), 1);
}

/** Returns the place of a picture in a box of another shape. */
export function objectPosition(framed: Framed, [width, height]: readonly [number, number]): string {
  const ratio = width / height / (framed.width / framed.height);
  const x = positionOf(framed.focus[0], Math.min(ratio, 1));
  const y = positionOf(framed.focus[1], Math.min(1 / ratio, 1));
  return `${(x * 100).toFixed(1)}% ${(y * 100).toFixed(1)}%`;
}
