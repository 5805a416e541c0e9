import { Badge, Tabs } from '@mantine/core';
import { IconBraces, IconForms, IconSettings } from '@tabler/icons-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { t } from '~/i18n';
import { useBuilder } from '../builder-context';
import { ROOT } from '../draft/draft';
import { FieldList } from '../field/FieldList';
import { FormPreview } from '../field/FieldPreview';
import classes from '../types.module.css';
import { JsonTab } from './JsonTab';
import { TypeSettings } from './TypeSettings';

/** So that all three stand in one line on a phone, also in German. */
const TAB_PADDING = { base: 8, xs: 'md' };

const TABS = ['fields', 'settings', 'json'] as const;

interface SectionsProps {
  rootLocale: string;
  onBroken: (broken: boolean) => void;
}

/** The parts of a content type; which of them shows is in the address. */
export function Sections({ rootLocale, onBroken }: SectionsProps) {
  const { draft } = useBuilder();
  const { tab } = useSearch({ strict: false }) as { tab?: string };
  const navigate = useNavigate();
  const shown = TABS.find((it) => it === tab) ?? 'fields';
  const show = (value: string | null) =>
    navigate({ to: '.', search: (it: object) => ({ ...it, tab: value === 'fields' ? undefined : (value ?? undefined) }), replace: true });
  return (
    <Tabs value={shown} onChange={show} keepMounted={false} mt="lg">
      <Tabs.List mb="lg" aria-label={t('types.sections')}>
        <Tabs.Tab
          value="fields"
          px={TAB_PADDING}
          leftSection={<IconForms size={16} aria-hidden />}
          rightSection={
            <Badge size="sm" color="gray">
              {draft.fields.length}
            </Badge>
          }
        >
          {t('types.fields')}
        </Tabs.Tab>
        <Tabs.Tab value="settings" px={TAB_PADDING} leftSection={<IconSettings size={16} aria-hidden />}>
          {t('types.settings')}
        </Tabs.Tab>
        <Tabs.Tab value="json" px={TAB_PADDING} leftSection={<IconBraces size={16} aria-hidden />}>
          {t('types.json')}
        </Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="fields">
        <div className={classes.columns}>
          <section aria-label={t('types.fields')}>
            <FieldList container={ROOT} />
          </section>
          <FormPreview />
        </div>
      </Tabs.Panel>
      <Tabs.Panel value="settings">
        <TypeSettings rootLocale={rootLocale} />
      </Tabs.Panel>
      <Tabs.Panel value="json">
        <JsonTab onDefect={onBroken} />
      </Tabs.Panel>
    </Tabs>
  );
}
