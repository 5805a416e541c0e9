import { useQuery } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import { useCallback, useEffect, useState } from 'react';
import { useCan, useContentType, useContentTypes } from '~/api/session';
import { t } from '~/i18n';
import { NoPermission } from '~/ui/EmptyState';
import { ErrorState } from '~/ui/ErrorState';
import { PageHead } from '~/ui/PageHead';
import { Waiting } from '~/ui/Waiting';
import { useWorkspace } from '~/workspace';
import { type BegunDraft, Builder } from './builder/Builder';
import { draftOf, type TypeDraft } from './draft/draft';
import { copyName } from './draft/names';
import { emptyDraft, findTemplate, templateDraft } from './draft/templates';
import { typeQuery } from './draft/type-query';
import { TemplateGallery } from './TemplateGallery';

/** `types/$type`: builds a content type, or a new one (`~new`). */
export default function TypeEditor() {
  const { type = '' } = useParams({ strict: false }) as { type?: string };
  const [begun, setBegun] = useState<BegunDraft>();
  const clear = useCallback(() => setBegun(undefined), []);
  return type === '~new' ? <NewType onCreated={setBegun} /> : <KnownType key={type} name={type} begun={begun} onBegun={clear} />;
}

interface KnownTypeProps {
  name: string;
  /** The type that has just been created, with what was changed while that was on its way. */
  begun: BegunDraft | undefined;
  /** The draft is taken: whoever comes again begins with what is saved. */
  onBegun: () => void;
}

function KnownType({ name, begun, onBegun }: KnownTypeProps) {
  const [first] = useState(begun?.draft.name === name ? begun : undefined);
  useEffect(onBegun, [onBegun]);
  const workspace = useWorkspace();
  const known = useContentType(workspace, name);
  const { data, error, refetch } = useQuery(typeQuery(workspace, name));
  // A type that was just deleted is still the address of this page for a moment.
  if (data) return <Builder start={data.draft} loaded={data} begun={first} />;
  return (
    <>
      <PageHead
        title={known?.label ?? name}
        back={{ label: t('shell.types'), to: { to: '/w/$workspace/types', params: { workspace } } }}
      />
      {error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <Waiting what={name} heights={[84, 42, 52, 52, 52, 52]} />
      )}
    </>
  );
}

/** Begins with a template, with a copy of another type, or with nothing. */
function NewType({ onCreated }: { onCreated: (begun: BegunDraft) => void }) {
  const workspace = useWorkspace();
  const types = useContentTypes(workspace);
  const can = useCan();
  const { from, template } = useSearch({ strict: false }) as { from?: string; template?: string };
  const back = { label: t('shell.types'), to: { to: '/w/$workspace/types', params: { workspace } } } as const;
  if (!can('schema.create', 'schema:*')) {
    return (
      <>
        <PageHead title={t('types.new')} back={back} />
        <NoPermission action="schema.create" />
      </>
    );
  }
  const source = from ? types.find((it) => it.name === from) : undefined;
  const names = types.map((it) => it.name);
  if (source) {
    const copy = draftOf({ ...source, name: copyName(source.name, names), label: t('types.copyOf', { type: source.label }) }, false);
    return <NewBuilder key={`from-${from}`} start={copy} onCreated={onCreated} />;
  }
  const chosen = template ? findTemplate(template) : undefined;
  if (chosen) return <NewBuilder key={template} start={templateDraft(chosen, names)} onCreated={onCreated} />;
  if (template === 'empty') return <NewBuilder key="empty" start={emptyDraft()} onCreated={onCreated} />;
  return (
    <>
      <PageHead title={t('types.new')} description={t('types.newHint')} back={back} />
      <TemplateGallery />
    </>
  );
}

/** The draft that a new type begins with stays the same while lists around it are fetched anew. */
function NewBuilder({ start, onCreated }: { start: TypeDraft; onCreated: (begun: BegunDraft) => void }) {
  const [first] = useState(start);
  return <Builder start={first} onCreated={onCreated} />;
}
