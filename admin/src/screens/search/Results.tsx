import { Button, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { components } from '~/api/schema';
import { useContentTypes } from '~/api/session';
import { t } from '~/i18n';
import { MediaThumb } from '~/media/MediaThumb';
import { Marked } from '~/ui/Marked';
import { StatusChip } from '~/ui/StatusChip';
import { Time } from '~/ui/Time';
import { TypeIcon } from '~/ui/TypeIcon';
import { useWorkspace } from '~/workspace';
import { type Kind, KINDS, type SearchState } from './state';
import classes from './search.module.css';

type Found = components['schemas']['Found'];

interface ResultsProps {
  state: SearchState;
  pages: readonly Found[];
  /** Shows one kind of results alone. */
  onKind: (kind: Kind) => void;
}

/** The results, each kind below its heading. */
export function Results({ state, pages, onKind }: ResultsProps) {
  const rows: Record<Kind, ReactNode[]> = {
    entries: pages.flatMap((it) => it.entries).map((it) => <EntryResult key={`${it.type}/${it.id}`} found={it} state={state} />),
    media: pages.flatMap((it) => it.media).map((it) => <FileResult key={it.filename} found={it} q={state.q} />),
    types: pages.flatMap((it) => it.types).map((it) => <TypeResult key={it.name} found={it} q={state.q} />),
  };
  const more = pages.at(-1)?.more ?? [];
  return KINDS.filter((kind) => rows[kind].length > 0).map((kind) => (
    <section key={kind} aria-labelledby={`found-${kind}`}>
      <Title order={2} size="h4" mb="xs" id={`found-${kind}`}>
        {t(`search.${kind}`)}
      </Title>
      <ul className={classes.list}>{rows[kind]}</ul>
      {!state.kind && more.includes(kind) && (
        <Button variant="subtle" size="compact-sm" mt="xs" onClick={() => onKind(kind)}>
          {t(`search.showAll.${kind}`)}
        </Button>
      )}
    </section>
  ));
}

function EntryResult({ found, state }: { found: Found['entries'][number]; state: SearchState }) {
  const workspace = useWorkspace();
  const types = useContentTypes(workspace);
  const { match } = found;
  const search = state.locale ? { locale: state.locale } : {};
  return (
    <li className={classes.row}>
      <span className={classes.icon}>
        <TypeIcon name={types.find((it) => it.name === found.type)?.icon ?? ''} size={20} />
      </span>
      <div className={classes.text}>
        <Link to="/w/$workspace/content/$type/$id" params={{ workspace, type: found.type, id: found.id }} search={search} className={classes.link}>
          <Marked text={found.title || found.slug} query={state.q} />
        </Link>
        {match && match.field !== 'title' && (
          <p className={classes.snippet} dir="auto">
            <Text span inherit c="dimmed">
              {t('search.in', { field: match.label })}
              {': '}
            </Text>
            <Marked text={match.text} query={state.q} />
          </p>
        )}
        <Text size="xs" c="dimmed">
          {found.type_label} · <Time value={found.updated_at} />
        </Text>
      </div>
      <StatusChip entry={found} />
    </li>
  );
}

function FileResult({ found, q }: { found: Found['media'][number]; q: string }) {
  const workspace = useWorkspace();
  const title = found.title || found.filename;
  return (
    <li className={classes.row}>
      <MediaThumb workspace={workspace} filename={found.filename} size={40} alt="" />
      <div className={classes.text}>
        <Link to="/w/$workspace/media" params={{ workspace }} search={{ file: found.filename }} className={classes.link}>
          <Marked text={title} query={q} />
        </Link>
        {found.alt && (
          <p className={classes.snippet} dir="auto">
            <Marked text={found.alt} query={q} />
          </p>
        )}
        {title !== found.filename && (
          <Text size="xs" c="dimmed">
            <Marked text={found.filename} query={q} />
          </Text>
        )}
      </div>
    </li>
  );
}

function TypeResult({ found, q }: { found: Found['types'][number]; q: string }) {
  const workspace = useWorkspace();
  const params = { workspace, type: found.name };
  const label = <Marked text={found.label} query={q} />;
  return (
    <li className={classes.row}>
      <span className={classes.icon}>
        <TypeIcon name={found.icon} size={20} />
      </span>
      <div className={classes.text}>
        {found.singleton ? (
          <Link to="/w/$workspace/content/$type/$id" params={{ ...params, id: found.name }} className={classes.link}>
            {label}
          </Link>
        ) : (
          <Link to="/w/$workspace/content/$type" params={params} className={classes.link}>
            {label}
          </Link>
        )}
        <Text size="xs" c="dimmed">
          <Marked text={found.name} query={q} />
        </Text>
      </div>
    </li>
  );
}
