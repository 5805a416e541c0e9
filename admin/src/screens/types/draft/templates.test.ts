import { describe, expect, it } from 'vitest';
import { inputOf } from './draft';
import { findTemplate, TEMPLATES, templateDraft } from './templates';

describe('templates', () => {
  it.each(TEMPLATES.map((it) => it.id))('%s has title, address, and fields with labels', (id) => {
    const template = findTemplate(id);
    if (!template) throw new Error('it is there');
    const draft = templateDraft(template, [template.name]);
    expect(draft.name).toBe(`${template.name}-2`);
    const { fields } = inputOf(draft);
    expect(Object.keys(fields).slice(0, 2)).toEqual(['title', 'slug']);
    for (const definition of Object.values(fields)) expect(definition.label).toBeTruthy();
  });
});
