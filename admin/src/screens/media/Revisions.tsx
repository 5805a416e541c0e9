import { Anchor, Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { MediaRevision } from '~/api/schema';
import { formatBytes, formatDateTime, formatNumber, t } from '~/i18n';
import { RevisionThumb } from '~/media/MediaThumb';
import { revisionAddress, revisionsQuery } from '~/media/queries';
import { ErrorState } from '~/ui/ErrorState';
import { Time } from '~/ui/Time';
import classes from './Media.module.css';
import { restoreRevision } from '~/media/replacement';

/** The revisions that are shown until more are asked for. */
const SHOWN = 4;

interface RevisionsProps {
  workspace: string;
  filename: string;
}

/** The earlier files of this name, as a part of its panel. */
export function Revisions({ workspace, filename }: RevisionsProps) {
  const query = useQuery(revisionsQuery(workspace, filename));
  const [all, setAll] = useState(false);
  if (query.isError) return <ErrorState error={query.error} onRetry={() => query.refetch()} />;
  const revisions = query.data ?? [];
  if (revisions.length === 0) return null;
  const shown = all ? revisions : revisions.slice(0, SHOWN);
  const beyond = revisions.length - shown.length;
  return (
    <section>
      <Text component="h3" size="sm" fw={600} mb={4}>
        {t('media.revisions')}
      </Text>
      <ul className={classes.revisions}>
        {shown.map((revision) => (
          <Row key={revision.id} workspace={workspace} filename={filename} revision={revision} />
        ))}
      </ul>
      {beyond > 0 && (
        <Button variant="subtle" size="compact-sm" onClick={() => setAll(true)}>
          {t('media.revisions.more', { count: beyond })}
        </Button>
      )}
    </section>
  );
}

function Row({ workspace, filename, revision }: RevisionsProps & { revision: MediaRevision }) {
  const { id, created_at: at, created_by_name: by, width, height, size } = revision;
  const [busy, setBusy] = useState(false);
  const restore = async () => {
    setBusy(true);
    await restoreRevision(workspace, filename, id);
    setBusy(false);
  };
  const when = formatDateTime(at);
  const href = `${revisionAddress(filename, id)}?workspace=${encodeURIComponent(workspace)}`;
  return (
    <li className={classes.revision}>
      <Anchor href={href} target="_blank" rel="noopener noreferrer" aria-label={t('media.revision.open', { time: when })}>
        <RevisionThumb workspace={workspace} filename={filename} revision={revision} />
      </Anchor>
      <div className={classes.revisionText}>
        <Text size="sm">
          {t('media.revision.replaced')} <Time value={at} />
        </Text>
        <Text size="xs" c="dimmed">
          {[by, formatBytes(size), width && height && `${formatNumber(width)} × ${formatNumber(height)}`].filter(Boolean).join(' · ')}
        </Text>
      </div>
      <Button
        variant="default"
        size="compact-sm"
        loading={busy}
        aria-label={t('media.revision.restoreOf', { time: when })}
        onClick={() => void restore()}
      >
        {t('media.revision.restore')}
      </Button>
    </li>
  );
}
