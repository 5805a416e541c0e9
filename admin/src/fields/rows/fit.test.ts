import { describe, expect, it, vi } from 'vitest';
import type { FieldDefinition } from '~/api/fields';
import { t } from '~/i18n';
import { clipText, keepClip, keptClip, parseClip } from './clip';
import { fitRows, takesAny } from './fit';

const page: FieldDefinition = {
  type: 'blocks',
  blocks: {
    hero: {
      label: 'Hero',
      fields: {
        heading: { type: 'text', label: 'Heading' },
        tone: { type: 'select', label: 'Tone', options: ['calm', 'loud'] },
        picture: { type: 'media', label: 'Picture' },
        people: { type: 'relation', label: 'People', target: 'authors', multiple: true },
        size: { type: 'number', label: 'Size' },
        seo: { type: 'object', label: 'Seo', fields: { text: { type: 'markdown', label: 'Text' } } },
      },
    },
    list: { fields: { links: { type: 'repeater', label: 'Links', subfields: [{ key: 'to', type: 'url' }] } } },
  },
};
const links: FieldDefinition = { type: 'repeater', subfields: [{ key: 'to', type: 'url' }, { key: 'name', type: 'text' }] };
const anId = expect.stringMatching(/^[0-9a-z]{16}$/) as string;

describe('rows from elsewhere', () => {
  it('keep what the field knows, with ids of their own', () => {
    const hero = { _type: 'hero', _id: 'old', heading: 'Hi', tone: 'loud', picture: ['a.jpg'], size: 2, seo: { text: 'T' }, empty: '' };
    const list = { _type: 'list', links: [{ to: '/a' }] };
    expect(fitRows(page, [hero, list])).toMatchObject({
      rows: [
        { _type: 'hero', _id: anId, heading: 'Hi', tone: 'loud', picture: ['a.jpg'], size: 2, seo: { text: 'T' } },
        { _type: 'list', _id: anId, links: [{ to: '/a' }] },
      ],
      refused: [],
      dropped: [],
    });
  });

  it('lose what it does not, and say so', () => {
    const hero = { _type: 'hero', heading: 5, tone: 'shy', colour: '#fff', picture: ['a.jpg', 'b.jpg'], seo: { more: 1 } };
    const list = { _type: 'list', links: [{ to: '/a', extra: 1 }, { other: 1 }] };
    const { rows, refused, dropped } = fitRows(page, [hero, { _type: 'gone' }, list, { heading: 'no block' }, 'text']);
    expect(rows).toEqual([
      { _type: 'hero', _id: anId, picture: ['a.jpg'], seo: {} },
      { _type: 'list', _id: anId, links: [{ to: '/a' }] },
    ]);
    expect(refused).toEqual(['Gone', `List › Links › ${t('fields.rows.item')}`, '?', '?']);
    expect(dropped).toEqual(['Hero › Colour', 'Hero › Heading', 'Hero › Tone', 'Hero › Picture: b.jpg', 'Hero › Seo › More', `List › Links › ${t('fields.rows.item')} › Extra`]);
  });

  it('name what they refer to, and lose what is not there', () => {
    const hero = { _type: 'hero', picture: ['a.jpg'], people: ['p1', 'p2'], seo: { text: 'See [it](recto:posts/x1).' } };
    const { rows, dropped, references } = fitRows(page, [hero], ({ name }) => name === 'p2');
    expect(rows).toEqual([{ _type: 'hero', _id: anId, picture: [], people: ['p2'], seo: { text: 'See [it](recto:posts/x1).' } }]);
    expect(dropped).toEqual(['Hero › Picture: a.jpg', 'Hero › People: p1']);
    expect(references.map((it) => `${it.kind} ${it.type} ${it.name}`)).toEqual(['media  a.jpg', 'entry authors p1', 'entry authors p2', 'link posts x1']);
  });

  it('fit a repeater by the names of their fields', () => {
    expect(takesAny(links, [{ other: 1 }])).toBe(false);
    expect(takesAny(links, [{ _type: 'hero', name: 'n' }])).toBe(true);
    expect(fitRows(links, [{ _type: 'hero', name: 'n', heading: 'h' }])).toMatchObject({ rows: [{ name: 'n' }], dropped: ['Hero › Heading'] });
    expect(takesAny(links, [{ _type: 'divider' }])).toBe(false);
    expect(takesAny(page, [{ name: 'n' }])).toBe(false);
  });

  it('cannot reach what every object has', () => {
    const evil = JSON.parse('[{"_type":"constructor"},{"_type":"hero","__proto__":{"heading":"x"},"constructor":"y"},{"_type":"__proto__"}]') as unknown[];
    const { rows, refused } = fitRows(page, evil);
    expect(rows).toEqual([{ _type: 'hero', _id: anId }]);
    expect(refused).toHaveLength(2);
    expect(({} as Record<string, unknown>).heading).toBe(undefined);
  });
});

describe('a clip', () => {
  it('that the storage has no room for takes the place of the one before', () => {
    const stored = new Map<string, string>();
    vi.stubGlobal('localStorage', {
      getItem: (key: string) => stored.get(key) ?? null,
      removeItem: (key: string) => stored.delete(key),
      setItem: (key: string, text: string) => {
        if (text.length > 200) throw new DOMException('full', 'QuotaExceededError');
        stored.set(key, text);
      },
    });
    const clip = (heading: string) => ({ workspace: 'default', rows: [{ _type: 'hero', heading }] });
    keepClip('anna', clipText(clip('small')));
    expect(keptClip('anna')).toEqual(clip('small'));
    keepClip('anna', clipText(clip('large'.repeat(50))));
    expect(keptClip('anna')).toEqual(clip('large'.repeat(50)));
    vi.unstubAllGlobals();
  });

  it('is read as it was written', () => {
    const clip = { workspace: 'default', rows: [{ _type: 'hero', heading: 'Hi' }] };
    expect(parseClip(clipText(clip))).toEqual(clip);
  });

  it('is none in any other text', () => {
    const others = ['', 'Hello', '{', '{}', '[]', '{"recto":"rows"}', '{"recto":"rows","rows":[]}', '{"recto":"rows","rows":["x",5,null]}', '{"recto":"else","rows":[{}]}'];
    for (const text of others) expect(parseClip(text)).toBe(undefined);
    expect(parseClip(`{"recto":"rows","rows":[{"x":${'['.repeat(50_000)}${']'.repeat(50_000)}}]}`)).toBe(undefined);
    expect(parseClip(`{"recto":"rows","rows":[{}],"workspace":5}`)).toEqual({ workspace: '', rows: [{}] });
  });
});
