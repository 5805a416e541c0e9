import { describe, expect, it } from 'vitest';
import { markMatches, matchItems } from './match';

const items = [{ label: 'API tokens' }, { label: 'Content types', keywords: 'schema model' }, { label: 'Übersicht' }, { label: 'New in Tokens (C++)' }];
const found = (query: string) => matchItems(items, query).map((it) => it.label);

describe('finding', () => {
  it('wants every word, whatever its place, case and accents', () => {
    expect(found('tok')).toEqual(['API tokens', 'New in Tokens (C++)']);
    expect(found('tokens api')).toEqual(['API tokens']);
    expect(found('ubers')).toEqual(['Übersicht']);
    expect(found('SCHEMA')).toEqual(['Content types']);
    expect(found('nothing')).toEqual([]);
    expect(found('c++')).toEqual(['New in Tokens (C++)']);
  });

  it('puts what begins with it first', () => {
    expect(found('t')[0]).toBe('API tokens');
    expect(found('new')).toEqual(['New in Tokens (C++)']);
    expect(matchItems([{ label: 'Old content' }, { label: 'Content' }], 'cont').map((it) => it.label)).toEqual(['Content', 'Old content']);
  });

  it('finds all with nothing', () => {
    expect(found('  ')).toHaveLength(4);
  });
});

describe('marking', () => {
  const hits = (label: string, query: string) => markMatches(label, query).map((it) => (it.hit ? `[${it.text}]` : it.text)).join('');

  it('shows what was asked for', () => {
    expect(hits('API tokens', 'tok')).toBe('API [tok]ens');
    expect(hits('Übersicht', 'uber')).toBe('[Über]sicht');
    expect(hits('banana', 'an')).toBe('b[anan]a');
    expect(hits('plain', '')).toBe('plain');
  });
});
