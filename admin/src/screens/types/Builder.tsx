import { Alert, Badge, Button, Tabs } from '@mantine/core';
import { IconAlertTriangle, IconBraces, IconForms, IconSettings } from '@tabler/icons-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { flushSync } from 'react-dom';
import { useCan, useContentTypes } from '~/api/session';
import { t } from '~/i18n';
import { showError } from '~/ui/feedback';
import { COMMAND, useSaveKey } from '~/ui/keys';
import { LeaveGuard } from '~/ui/LeaveGuard';
import { PageHead } from '~/ui/PageHead';
import { useWorkspace } from '~/workspace';
import { type Builder as BuilderState, BuilderProvider } from './builder';
import { ConflictDialog } from './ConflictDialog';
import { type Defects, listDefects, nameDefects, NO_DEFECTS, serverDefects } from './defects';
import { DefectSummary } from './DefectSummary';
import { ROOT, type TypeDraft } from './draft';
import { FieldList } from './FieldList';
import { FormPreview } from './FieldPreview';
import { Identity } from './Identity';
import { ImpactDialog } from './ImpactDialog';
import { JsonTab } from './JsonTab';
import type { NameDefect } from './names';
import { NodePanel } from './NodePanel';
import type { Loaded } from './type-query';
import { TypeMenu } from './TypeMenu';
import classes from './types.module.css';
import { TypeSettings } from './TypeSettings';
import { useDraft } from './useDraft';
import { fetchLoaded, useSaveType } from './useSaveType';

interface BuilderProps {
  start: TypeDraft;
  /** What the server has; nothing for a new type. */
  loaded?: Loaded;
}

/** The page on which a content type is built. */
export function Builder({ start, loaded }: BuilderProps) {
  const workspace = useWorkspace();
  const types = useContentTypes(workspace);
  const navigate = useNavigate();
  const can = useCan();
  const isNew = loaded === undefined;
  const readOnly = !isNew && !can('schema.update', `schema:${start.name}`);
  const { draft, setDraft, saved, etag, changes, dirty, newer, take } = useDraft(start, loaded);
  const [opened, setOpened] = useState<string>();
  const [refused, setRefused] = useState<Defects>(NO_DEFECTS);
  const [judged, setJudged] = useState(false);
  const [broken, setBroken] = useState(false);
  const [leaving, setLeaving] = useState(false);

  const named = useMemo(() => nameDefects(draft, isNew ? types.map((it) => it.name) : [], sayDefect), [draft, types, isNew]);
  const defects = useMemo(() => merged(named, refused, judged), [named, refused, judged]);

  const saving = useSaveType({
    saved, draft, changes, etag, isNew,
    onRefused: (fields) => setRefused(serverDefects(draft, fields)),
    onSaved: (state) => {
      setRefused(NO_DEFECTS);
      if (!isNew) return take(state, 'theirs');
      flushSync(() => setLeaving(true));
      void navigate({ to: '/w/$workspace/types/$type', params: { workspace, type: state.draft.name }, replace: true });
    },
  });
  const wrong = Object.keys(named).length > 0;
  const save = () => {
    if (readOnly || broken || saving.busy || (!isNew && !dirty)) return;
    setJudged(true);
    setRefused(NO_DEFECTS);
    if (!wrong) void saving.save();
  };
  useSaveKey(save, !readOnly);

  const builder: BuilderState = {
    workspace, draft, saved, isNew, readOnly, types, defects,
    change: setDraft,
    open: setOpened,
  };
  const useTheirs = () =>
    fetchLoaded(draft.name).then((state) => {
      take(state, 'theirs');
      saving.dismiss();
    }, showError);
  return (
    <BuilderProvider value={builder}>
      <PageHead
        sticky
        title={draft.label || t('types.new')}
        back={{ label: t('shell.types'), to: { to: '/w/$workspace/types', params: { workspace } } }}
        aside={<Badges draft={draft} readOnly={readOnly} dirty={dirty && !isNew} />}
        actions={
          <>
            {loaded && <TypeMenu name={saved.name} label={saved.label} singleton={saved.singleton} dirty={dirty} onDelete={() => flushSync(() => setLeaving(true))} />}
            {!readOnly && (
              <Button onClick={save} loading={saving.busy} disabled={broken || (!isNew && !dirty)} title={`${COMMAND} S`}>
                {isNew ? t('types.create') : t('common.save')}
              </Button>
            )}
          </>
        }
      />
      {newer && (
        <Alert color="amber" icon={<IconAlertTriangle size={18} aria-hidden />} mb="md" title={t('types.newer')}>
          <Button size="compact-sm" variant="default" onClick={useTheirs}>
            {t('types.useTheirs')}
          </Button>
        </Alert>
      )}
      <DefectSummary defects={listDefects(draft, defects)} />
      <Identity />
      <Sections rootLocale={loaded?.root_locale ?? ''} fieldCount={draft.fields.length} onBroken={setBroken} />
      <NodePanel uid={opened} />
      {saving.question?.kind === 'impact' && (
        <ImpactDialog {...{ saved, draft, changes }} busy={saving.busy} onClose={saving.dismiss} onApply={saving.apply} />
      )}
      {saving.question?.kind === 'conflict' && (
        <ConflictDialog
          busy={saving.busy}
          onClose={saving.dismiss}
          onReload={useTheirs}
          onOverwrite={() => saving.question?.kind === 'conflict' && saving.apply(saving.question.migrations, true)}
        />
      )}
      <LeaveGuard dirty={dirty && !leaving} />
    </BuilderProvider>
  );
}

function sayDefect(defect: NameDefect, of: 'type' | 'field'): string {
  return of === 'type' && defect === 'invalid' ? t('types.defect.typeName') : t(`types.defect.${defect}`);
}

/** Names are judged while they are typed, but what is missing only once somebody tried to save. */
function merged(named: Defects, refused: Defects, judged: boolean): Defects {
  const missing = t('types.defect.missing');
  const shown = Object.entries(named).filter(([, it]) => judged || !Object.values(it).includes(missing));
  const all: Record<string, Readonly<Record<string, string>>> = { ...refused };
  for (const [uid, found] of shown) all[uid] = { ...all[uid], ...found };
  return all;
}

function Badges({ draft, readOnly, dirty }: { draft: TypeDraft; readOnly: boolean; dirty: boolean }) {
  return (
    <>
      {draft.singleton && <Badge color="gray">{t('types.singleton')}</Badge>}
      {draft.visibility === 'private' && <Badge color="violet">{t('types.private')}</Badge>}
      {readOnly && <Badge color="gray">{t('types.lookOnly')}</Badge>}
      {dirty && <Badge color="amber">{t('types.unsaved')}</Badge>}
    </>
  );
}

const TABS = ['fields', 'settings', 'json'] as const;

interface SectionsProps {
  rootLocale: string;
  fieldCount: number;
  onBroken: (broken: boolean) => void;
}

function Sections({ rootLocale, fieldCount, onBroken }: SectionsProps) {
  const { tab } = useSearch({ strict: false }) as { tab?: string };
  const navigate = useNavigate();
  const shown = TABS.find((it) => it === tab) ?? 'fields';
  const show = (value: string | null) =>
    navigate({ to: '.', search: (it: object) => ({ ...it, tab: value === 'fields' ? undefined : (value ?? undefined) }), replace: true });
  return (
    <Tabs value={shown} onChange={show} keepMounted={false} mt="lg">
      <Tabs.List mb="lg" aria-label={t('types.sections')}>
        <Tabs.Tab value="fields" leftSection={<IconForms size={16} aria-hidden />} rightSection={<Badge size="sm" color="gray">{fieldCount}</Badge>}>
          {t('types.fields')}
        </Tabs.Tab>
        <Tabs.Tab value="settings" leftSection={<IconSettings size={16} aria-hidden />}>
          {t('types.settings')}
        </Tabs.Tab>
        <Tabs.Tab value="json" leftSection={<IconBraces size={16} aria-hidden />}>
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
