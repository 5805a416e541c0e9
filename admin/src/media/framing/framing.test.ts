import { describe, expect, it } from 'vitest';
import { areaBetween, areaOf, moveBy, pointAt, pointOf } from './framing';

describe('framing', () => {
  it('finds the point of a picture that was clicked', () => {
    const box = { left: 10, top: 20, width: 200, height: 100 };
    expect(pointAt(60, 95, box)).toEqual([0.25, 0.75]);
    expect(pointAt(0, 999, box)).toEqual([0, 1]);
    expect(pointAt(5, 5, { left: 0, top: 0, width: 0, height: 0 })).toEqual([1, 1]);
  });

  it('draws areas in every direction, within the picture', () => {
    expect(areaBetween([0.8, 0.9], [0.3, 0.1])).toEqual([0.3, 0.1, 0.5, 0.8]);
    expect(areaBetween([0.5, 0.5], [0.505, 0.9])).toBeUndefined();
    expect(areaOf([0.5, 0, 0.9, 1])).toEqual([0.5, 0, 0.5, 1]);
    expect(areaOf([1, 0, 0.5, 1])).toBeUndefined();
    expect(areaOf(null)).toBeUndefined();
  });

  it('moves a point by keys, not beyond the edge', () => {
    expect(moveBy([0.5, 0.5], 'ArrowLeft', 0.1)).toEqual([0.4, 0.5]);
    expect(moveBy([0.5, 0.99], 'ArrowDown', 0.1)).toEqual([0.5, 1]);
    expect(moveBy([0.5, 0.5], 'Enter', 0.1)).toBeUndefined();
    expect(pointOf([0.2, 0.3])).toEqual([0.2, 0.3]);
    expect(pointOf(null)).toBeUndefined();
  });
});
