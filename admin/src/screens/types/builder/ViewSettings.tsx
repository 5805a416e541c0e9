import { ActionIcon, Button, Group, MultiSelect, NumberInput, Select, SimpleGrid, Stack, Switch, Text, TextInput, Title } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { fieldLabel } from '~/api/fields';
import { useApp } from '~/api/session';
import { localeName, t } from '~/i18n';
import { CopyButton } from '~/ui/CopyButton';
import { useBuilder } from '../builder-context';
import { defectOf } from '../draft/defects';
import { ROOT } from '../draft/draft';
import { OWN_TIMES } from '../draft/feed';
import { addView, namesOf, removeView, renameView, setParam, type View, viewList, viewNameDefect, type Views, VIEWS_MAX, writtenNames } from '../draft/views';
import classes from '../types.module.css';
import { ViewConditions } from './ViewConditions';

/** The named lists of the type: each is served at a URL of its own. */
export function ViewSettings() {
  const { draft, change, readOnly } = useBuilder();
  const list = useRef<HTMLDivElement>(null);
  const views = viewList(draft.views);
  const apply = (next: Views) => change((it) => ({ ...it, views: next }));
  const focus = (index: number) =>
    requestAnimationFrame(() => list.current?.querySelectorAll<HTMLInputElement>('input[data-name]')[index]?.focus());
  return (
    <section className={classes.panel} aria-label={t('types.views')}>
      <Title order={2} size="h4">
        {t('types.views')}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {t('types.viewsAbout')}
      </Text>
      <Stack gap="sm" ref={list}>
        {views.map(([name, view], index) => (
          <ViewForm
            // Its place is what stays while the name is typed.
            key={index}
            name={name}
            view={view}
            onName={(to) => apply(renameView(draft.views, name, to))}
            onChange={(next) => apply({ ...draft.views, [name]: next })}
            onRemove={() => {
              apply(removeView(draft.views, name));
              focus(Math.max(0, index - 1));
            }}
          />
        ))}
      </Stack>
      {views.length === 0 && (
        <Text size="sm" c="dimmed" my={4}>
          {t('types.views.none')}
        </Text>
      )}
      {!readOnly && views.length < VIEWS_MAX && (
        <Button
          variant="default"
          size="xs"
          mt="sm"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => {
            apply(addView(draft.views, 'latest'));
            focus(views.length);
          }}
        >
          {t('types.views.add')}
        </Button>
      )}
    </section>
  );
}

interface ViewFormProps {
  name: string;
  view: View;
  onName: (name: string) => void;
  onChange: (view: View) => void;
  onRemove: () => void;
}

function ViewForm({ name, view, onName, onChange, onRemove }: ViewFormProps) {
  const { draft, defects, readOnly } = useBuilder();
  const error = (key: string) => defectOf(defects, ROOT, `views.${name}.${key}`);
  const set = (key: string, value: unknown) => onChange(setParam(view, key, value));
  const { whole, sorts, relations } = useChoices();
  const names = (key: 'sort' | 'fields' | 'include', data: Choice[], hint?: string) => ({
    label: t(`types.views.${key}`),
    description: hint,
    data: withMissing(data, namesOf(view[key])),
    value: namesOf(view[key]),
    onChange: (next: string[]) => set(key, writtenNames(view[key], next)),
    error: error(key),
    searchable: true,
    clearable: true,
    clearButtonProps: { 'aria-label': t('types.clear') },
  });
  const hasLimit = typeof view.limit === 'number';
  return (
    <div role="group" aria-label={t('types.views.named', { name })} className={classes.view}>
      <Group align="flex-start" wrap="nowrap" gap="xs">
        <NameInput name={name} onName={onName} />
        {!readOnly && (
          <ActionIcon mt={26} color="red" onClick={onRemove} aria-label={t('types.removeNamed', { name })}>
            <IconTrash size={16} aria-hidden />
          </ActionIcon>
        )}
      </Group>
      <ViewConditions view={view} name={name} onChange={(filter) => set('filter', filter)} />
      <MultiSelect {...names('sort', sorts, t('types.views.sortHint'))} />
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm" className={classes.bottoms}>
        <NumberInput
          label={t('types.views.limit')}
          value={hasLimit ? Number(view.limit) : ''}
          onChange={(next) => set('limit', next === '' ? undefined : Number(next))}
          placeholder={t('types.views.limitNone')}
          error={error('limit')}
          min={1}
          allowDecimal={false}
          allowNegative={false}
        />
        <NumberInput
          label={t('types.views.offset')}
          value={typeof view.offset === 'number' ? view.offset : ''}
          onChange={(next) => set('offset', next === '' || next === 0 ? undefined : Number(next))}
          placeholder="0"
          error={error('offset')}
          min={0}
          allowDecimal={false}
          allowNegative={false}
        />
        <TextInput label={t('types.views.q')} value={String(view.q ?? '')} onChange={(event) => set('q', event.currentTarget.value)} error={error('q')} />
        {draft.locales.length > 0 && (
          <Select
            label={t('types.views.locale')}
            data={[{ value: '', label: t('types.views.localeDefault') }, ...draft.locales.map((it) => ({ value: it, label: localeName(it) }))]}
            value={String(view.locale ?? '')}
            onChange={(next) => set('locale', next ?? '')}
            error={error('locale')}
          />
        )}
      </SimpleGrid>
      <Switch
        label={t('types.views.pages')}
        description={t(hasLimit ? 'types.views.pagesHint' : 'types.views.pagesNeed')}
        checked={view.pages === true}
        disabled={!hasLimit}
        onChange={(event) => set('pages', event.currentTarget.checked)}
        error={error('pages')}
      />
      <MultiSelect {...names('fields', whole, t('types.views.fieldsHint'))} />
      {(relations.length > 0 || namesOf(view.include).length > 0) && <MultiSelect {...names('include', relations, t('types.views.includeHint'))} />}
      <Switch label={t('types.views.media')} checked={view.media === 'full'} onChange={(event) => set('media', event.currentTarget.checked ? 'full' : '')} error={error('media')} />
      <Switch label={t('types.views.render')} checked={view.render === 'html'} onChange={(event) => set('render', event.currentTarget.checked ? 'html' : '')} error={error('render')} />
      <ViewAddress name={name} />
    </div>
  );
}

/** The name, which counts as soon as it is one; what is none yet stays in the input until it is left. */
function NameInput({ name, onName }: { name: string; onName: (name: string) => void }) {
  const { draft, defects } = useBuilder();
  const [typed, setTyped] = useState<string>();
  const defect = typed === undefined ? undefined : viewNameDefect(typed, Object.keys(draft.views).filter((it) => it !== name));
  const wrong = defect && t(defect === 'invalid' ? 'types.views.nameInvalid' : `types.defect.${defect}`);
  return (
    <TextInput
      flex={1}
      label={t('types.name')}
      value={typed ?? name}
      onChange={(event) => {
        const next = event.currentTarget.value;
        setTyped(next);
        if (!viewNameDefect(next, Object.keys(draft.views).filter((it) => it !== name))) onName(next);
      }}
      onBlur={() => setTyped(undefined)}
      error={wrong ?? defects[ROOT]?.[`views.${name}`]}
      classNames={{ input: classes.mono }}
      spellCheck={false}
      autoComplete="off"
      data-name
    />
  );
}

/** The URL of a list; a link to copy once it is there. */
function ViewAddress({ name }: { name: string }) {
  const { workspace, draft, saved } = useBuilder();
  const origin = useApp()?.base_url ?? '';
  if (draft.name === '') return null;
  const address = `${origin}/api/v1/workspaces/${workspace}/views/${draft.name}/${name}`;
  return (
    <Group gap={4} wrap="nowrap">
      <Text size="sm" className={`${classes.mono} ${classes.wrapped}`}>
        {address}
      </Text>
      {name in saved.views && <CopyButton value={address} label={t('types.feed.copy', { name })} />}
    </Group>
  );
}

interface Choice {
  value: string;
  label: string;
}

/** The fields that a list can name: all, in both orders for sorting, and those that lead to entries. */
function useChoices(): { whole: Choice[]; sorts: Choice[]; relations: Choice[] } {
  const { draft } = useBuilder();
  const whole = draft.fields.filter((it) => it.key !== '').map((it) => ({ value: it.key, label: fieldLabel(it.key, it.definition) }));
  const times = OWN_TIMES.map((it) => ({ value: it as string, label: t(`types.feed.${it}`) }));
  const sorts = [...whole, ...times].flatMap(({ value, label }) => [
    { value, label: t('types.views.up', { label }) },
    { value: `-${value}`, label: t('types.views.down', { label }) },
  ]);
  const relations = draft.fields.filter((it) => it.definition.type === 'relation').map((it) => ({ value: it.key, label: fieldLabel(it.key, it.definition) }));
  return { whole, sorts, relations };
}

/** Names that no field has any more can still be seen, and taken away. */
function withMissing(data: Choice[], names: readonly string[]): Choice[] {
  return [...data, ...names.filter((name) => !data.some((it) => it.value === name)).map((name) => ({ value: name, label: name }))];
}
