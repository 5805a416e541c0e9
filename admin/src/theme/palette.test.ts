import { describe, expect, it } from 'vitest';
import { STATUS_COLORS } from '~/ui/status';
import { contrast } from './contrast';
import { amber, dark, darkTints, gray, green, ink, red, violet } from './palette';

const accents = { ink, green, amber, red, violet };

describe('the palette', () => {
  it('measures as WCAG does', () => {
    expect(contrast('#000000', '#ffffff')).toBeCloseTo(21);
    expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 1);
  });

  const light = ['#ffffff', gray[0], gray[1]];
  const night = [dark[6], dark[7], dark[8]];

  it.each(light)('has readable text on %s', (paper) => {
    expect(contrast(gray[9], paper)).toBeGreaterThan(12);
    expect(contrast(gray[6], paper)).toBeGreaterThan(4.5);
    for (const tuple of Object.values(accents)) expect(contrast(tuple[7], paper)).toBeGreaterThan(4.5);
  });

  it.each(night)('has readable text on %s', (paper) => {
    expect(contrast(dark[0], paper)).toBeGreaterThan(11);
    expect(contrast(dark[2], paper)).toBeGreaterThan(4.5);
    for (const tuple of Object.values(accents)) expect(contrast(tuple[3], paper)).toBeGreaterThan(4.5);
  });

  it('has readable text on filled and on tinted surfaces', () => {
    for (const tuple of Object.values(accents)) {
      expect(contrast('#ffffff', tuple[7])).toBeGreaterThan(4.5);
      expect(contrast('#ffffff', tuple[6])).toBeGreaterThan(4.5);
      expect(contrast(tuple[8], tuple[1])).toBeGreaterThan(4.5);
    }
  });

  it('has tints that can be seen and read on in the dark', () => {
    for (const [name, tints] of Object.entries(darkTints)) {
      const tuple = { ...accents, gray }[name as keyof typeof darkTints];
      for (const tint of tints) expect(contrast(tuple[2], tint)).toBeGreaterThan(4.5);
      expect(contrast(dark[2], tints[0])).toBeGreaterThan(4.5);
      expect(contrast(tints[0], dark[6])).toBeGreaterThan(1.2);
    }
  });

  it('has a readable colour of its own for the chip of each status', () => {
    const chips = Object.values(STATUS_COLORS);
    expect(new Set(chips).size).toBe(chips.length);
    for (const name of chips) {
      const tuple = { ...accents, gray }[name];
      expect(contrast(tuple[8], tuple[1])).toBeGreaterThan(4.5);
      expect(contrast(tuple[2], darkTints[name][0])).toBeGreaterThan(4.5);
    }
  });

  it('has outlines of inputs that can be seen', () => {
    expect(contrast(gray[5], '#ffffff')).toBeGreaterThan(2.8);
  });
});
