import { ActionIcon, Button, Group, Text, TextInput, Title } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { useRef } from 'react';
import type { PreviewTarget } from '~/api/schema';
import { t } from '~/i18n';
import { useBuilder } from '../builder-context';
import { defectOf } from '../draft/defects';
import { ROOT } from '../draft/draft';
import classes from '../types.module.css';

/** The limit of the server. */
const TARGETS_MAX = 10;

/** The sites on which entries are looked at before they are public. */
export function PreviewTargets() {
  const { draft, change, defects, readOnly } = useBuilder();
  const list = useRef<HTMLUListElement>(null);
  const apply = (preview: readonly PreviewTarget[]) => change((it) => ({ ...it, preview }));
  const focus = (index: number) =>
    requestAnimationFrame(() => list.current?.querySelectorAll<HTMLInputElement>('input[data-label]')[index]?.focus());
  const add = () => {
    const label = t('types.preview.placeholder');
    const free = draft.preview.some((it) => it.label === label) ? `${label} ${draft.preview.length + 1}` : label;
    apply([...draft.preview, { label: free, url: '' }]);
    focus(draft.preview.length);
  };
  return (
    <section className={classes.panel} aria-label={t('types.preview.title')}>
      <Title order={3} size="sm">
        {t('types.preview.title')}
      </Title>
      <Text size="xs" c="dimmed" mb="sm">
        {t('types.preview.hint', { example: '{slug}, {id}, {type}, {locale}', token: '{token}' })}
      </Text>
      <ul className={classes.options} ref={list} aria-label={t('types.preview.title')}>
        {draft.preview.map((target, index) => (
          // A target has no other name than its place while it is typed.
          <li key={index} className={classes.option}>
            <Group gap="xs" align="flex-start" flex={1} grow preventGrowOverflow={false}>
              <TextInput
                value={target.label}
                onChange={(event) => apply(draft.preview.with(index, { ...target, label: event.currentTarget.value }))}
                aria-label={t('types.preview.label', { place: index + 1 })}
                error={defectOf(defects, ROOT, `preview[${index}].label`)}
                data-label
              />
              <TextInput
                value={target.url}
                onChange={(event) => apply(draft.preview.with(index, { ...target, url: event.currentTarget.value }))}
                placeholder="https://example.org/{slug}?recto={token}"
                aria-label={t('types.preview.url', { place: index + 1 })}
                error={defectOf(defects, ROOT, `preview[${index}].url`)}
                classNames={{ input: classes.mono }}
                type="text"
                inputMode="url"
              />
            </Group>
            {!readOnly && (
              <ActionIcon
                onClick={() => {
                  apply(draft.preview.toSpliced(index, 1));
                  focus(Math.max(0, index - 1));
                }}
                aria-label={t('types.removeNamed', { name: target.label || String(index + 1) })}
              >
                <IconX size={16} aria-hidden />
              </ActionIcon>
            )}
          </li>
        ))}
      </ul>
      {draft.preview.length === 0 && (
        <Text size="sm" c="dimmed" my={4}>
          {t('types.preview.none')}
        </Text>
      )}
      {!readOnly && draft.preview.length < TARGETS_MAX && (
        <Button variant="default" size="xs" mt={6} leftSection={<IconPlus size={14} aria-hidden />} onClick={add}>
          {t('types.preview.add')}
        </Button>
      )}
    </section>
  );
}
