import { Alert, Badge, Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useCan, useContentTypes } from '~/api/session';
import { t } from '~/i18n';
import { showError } from '~/ui/feedback';
import { COMMAND, useSaveShortcut } from '~/ui/shortcuts';
import { LeaveGuard } from '~/ui/LeaveGuard';
import { FailureBar } from '~/ui/FailureBar';
import { PageHead } from '~/ui/PageHead';
import { useWorkspace } from '~/workspace';
import { type Builder as BuilderState, BuilderProvider, useBuilder } from '../builder-context';
import { listDefects } from '../draft/defects';
import type { TypeDraft } from '../draft/draft';
import type { Loaded } from '../draft/type-query';
import { TypeMenu } from '../TypeMenu';
import { ConflictDialog } from './ConflictDialog';
import { DefectSummary } from './DefectSummary';
import { Identity } from './Identity';
import { FirstEntry } from './FirstEntry';
import { ImpactDialog } from './ImpactDialog';
import { NodePanel } from './NodePanel';
import { Sections } from './Sections';
import { useDefects } from './useDefects';
import { useDraft } from './useDraft';
import { fetchLoaded, useSaveType } from './useSaveType';

interface BuilderProps {
  start: TypeDraft;
  /** The type on the server; nothing for a new type. */
  loaded?: Loaded;
  /** The draft to begin with, where it is another one than `start`. */
  begun?: BegunDraft;
  /** Called with the draft of a type that was created, with what was changed since it was sent. */
  onCreated?: (begun: BegunDraft) => void;
}

/** The draft of a type that has just been created. */
export interface BegunDraft {
  draft: TypeDraft;
  /** True if another save was asked for since it was sent. */
  again: boolean;
}

/** The page on which a content type is built. */
export function Builder(props: BuilderProps) {
  const page = useBuilderPage(props);
  const { builder, dirty, save, saving, leaving, leave, useTheirs } = page;
  const { draft, saved, defects } = builder;
  const { question } = saving;
  return (
    <BuilderProvider value={builder}>
      <Head
        dirty={dirty}
        onDelete={leave}
        notice={saving.failure && <FailureBar failure={saving.failure} busy={saving.busy} byHand onRetry={save} />}
        save={
          <Button onClick={save} loading={saving.busy} disabled={!page.savable} title={`${COMMAND} S`}>
            {builder.isNew ? t('types.create') : t('general.save')}
          </Button>
        }
      />
      {page.newer && (
        <Alert color="amber" icon={<IconAlertTriangle size={18} aria-hidden />} mb="md" title={t('types.newer')}>
          <Button size="compact-sm" variant="default" onClick={useTheirs}>
            {t('types.useTheirs')}
          </Button>
        </Alert>
      )}
      <DefectSummary defects={listDefects(draft, defects)} />
      <Identity />
      <Sections rootLocale={props.loaded?.root_locale ?? ''} onBroken={page.setBroken} />
      <NodePanel uid={page.opened} />
      {question?.kind === 'impact' && (
        <ImpactDialog {...{ saved, draft }} changes={page.changes} busy={saving.busy} onClose={saving.dismiss} onApply={saving.apply} />
      )}
      {question?.kind === 'conflict' && (
        <ConflictDialog
          busy={saving.busy}
          onClose={saving.dismiss}
          onReload={useTheirs}
          onOverwrite={() => saving.apply(question.migrations, true)}
        />
      )}
      <LeaveGuard dirty={dirty && !leaving} />
    </BuilderProvider>
  );
}

function useBuilderPage({ start, loaded, begun, onCreated }: BuilderProps) {
  const workspace = useWorkspace();
  const types = useContentTypes(workspace);
  const navigate = useNavigate();
  const can = useCan();
  const isNew = loaded === undefined;
  const readOnly = !isNew && !can('schema.update', `schema:${start.name}`);
  const { draft, setDraft, saved, etag, changes, dirty, newer, take, settle, goOn } = useDraft(start, loaded, begun?.draft);
  const { defects, judge, refuse } = useDefects(draft, types, isNew);
  const [opened, open] = useState<string>();
  const [broken, setBroken] = useState(false);
  const [leaving, setLeaving] = useState(false);
  // At once, so that nobody is asked whether to leave what has just been saved or deleted.
  const leave = () => flushSync(() => setLeaving(true));
  const onSaved = (state: Loaded, again: boolean) => {
    if (!isNew) return settle(state);
    leave();
    onCreated?.({ draft: goOn(state), again });
    void navigate({ to: '/w/$workspace/types/$type', params: { workspace, type: state.draft.name }, replace: true });
  };
  const savable = !readOnly && !broken && (isNew || dirty);
  const isReady = () => savable && judge();
  const saving = useSaveType({ saved, draft, changes, etag, isNew, isReady, onRefused: refuse, onSaved });
  const { save } = saving;
  useSaveShortcut(save, !readOnly);
  const goOnSaving = useRef(begun?.again ? save : undefined);
  useEffect(() => {
    goOnSaving.current?.();
    goOnSaving.current = undefined;
  }, []);
  const useTheirs = () =>
    fetchLoaded(draft.name).then((state) => {
      take(state);
      saving.dismiss();
    }, showError);
  const builder: BuilderState = { workspace, draft, saved, isNew, readOnly, types, defects, change: setDraft, open };
  return { builder, changes, dirty, newer, opened, setBroken, leaving, leave, saving, savable, save, useTheirs };
}

interface HeadProps {
  dirty: boolean;
  save: React.ReactNode;
  notice: React.ReactNode;
  onDelete: () => void;
}

function Head({ dirty, save, notice, onDelete }: HeadProps) {
  const { workspace, draft, saved, isNew, readOnly } = useBuilder();
  return (
    <PageHead
      sticky
      notice={notice}
      title={draft.label || t('types.new')}
      back={{ label: t('shell.types'), to: { to: '/w/$workspace/types', params: { workspace } } }}
      aside={
        <>
          {draft.singleton && <Badge color="gray">{t('types.singleton')}</Badge>}
          {draft.visibility === 'private' && <Badge color="violet">{t('types.private')}</Badge>}
          {readOnly && <Badge color="gray">{t('types.lookOnly')}</Badge>}
          {dirty && !isNew && <Badge color="amber">{t('types.unsaved')}</Badge>}
        </>
      }
      actions={
        <>
          {!isNew && !dirty && !saved.singleton && <FirstEntry />}
          {!isNew && <TypeMenu name={saved.name} label={saved.label} singleton={saved.singleton} dirty={dirty} onDelete={onDelete} />}
          {!readOnly && save}
        </>
      }
    />
  );
}
