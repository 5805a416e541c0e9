import { ActionIcon, Button, Group, Progress, Text } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconClock, IconCopy, IconRefresh, IconUpload, IconX } from '@tabler/icons-react';
import { useRef } from 'react';
import { useCan } from '~/api/session';
import { formatBytes, t } from '~/i18n';
import { showError } from '~/ui/feedback';
import { AltInput } from './DescribePicture';
import { lacksAlt } from './filter';
import { ItemThumb } from './MediaThumb';
import { type Group as UploadGroup, groupOf, GROUPS, type Upload, type UploadedItem } from './upload-queue';
import { wantsAlt } from './upload-summary';
import { takeExisting, uploads } from './upload';
import classes from './uploads.module.css';

/** The files on their way, by what became of them: what was refused comes first. */
export default function UploadList({ list }: { list: readonly Upload[] }) {
  const frame = useRef<HTMLDivElement>(null);
  const groups = GROUPS.map((group) => ({ group, uploads: list.filter((it) => groupOf(it) === group) }));
  const some = groups.filter((it) => it.uploads.length > 0);
  /** Goes on to the next picture that is to be described. */
  const goOn = () => requestAnimationFrame(() => frame.current?.querySelector<HTMLElement>('textarea')?.focus());
  return (
    <div ref={frame} className={classes.list}>
      {some.map(({ group, uploads: members }) => (
        <section key={group} aria-label={t(`media.uploads.${group}`)}>
          {some.length > 1 && (
            <Text size="xs" fw={600} c="dimmed" className={classes.group} aria-hidden>
              {t(`media.uploads.${group}`)}
            </Text>
          )}
          <ul className={classes.members}>
            {members.map((upload) => (
              <Row key={upload.id} upload={upload} group={group} onDescribed={goOn} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

const ICONS = { waiting: IconClock, sending: IconUpload, done: IconCheck, failed: IconAlertTriangle, cancelled: IconX };

interface RowProps {
  upload: Upload;
  group: UploadGroup;
  onDescribed: () => void;
}

function Row({ upload, group, onDescribed }: RowProps) {
  const { name, state, item } = upload;
  const Icon = group === 'existing' ? IconCopy : ICONS[state];
  const asks = wantsAlt(upload);
  return (
    <li className={classes.row} data-state={state}>
      {asks && item ? <ItemThumb item={item} size={36} /> : <Icon size={16} aria-hidden className={classes.icon} />}
      <div className={classes.what}>
        <Text size="sm" truncate title={name}>
          {name}
        </Text>
        {state === 'sending' ? (
          <Progress value={upload.size ? (100 * upload.loaded) / upload.size : 0} size="xs" mt={4} aria-label={t('media.upload.progress', { name })} />
        ) : (
          (!asks || group === 'existing') && (
            <Text size="xs" className={classes.state}>
              {upload.error ?? stateText(upload)}
            </Text>
          )
        )}
        {group === 'existing' && <Duplicate upload={upload} />}
        {upload.describes && item && <Described upload={upload} item={item} onDescribed={onDescribed} />}
      </div>
      <RowActions upload={upload} />
    </li>
  );
}

/** The choice between a file and the one that had the same bytes before. */
function Duplicate({ upload }: { upload: Upload }) {
  const { id, item } = upload;
  if (!item || !upload.onInstead) return null;
  return (
    <Group gap={6} mt={4}>
      <Button size="compact-xs" variant="default" onClick={() => void takeExisting(upload).catch(showError)}>
        {t('media.upload.useExisting')}
      </Button>
      <Button size="compact-xs" variant="subtle" onClick={() => uploads.setItem(id, { ...item, existing: undefined })}>
        {t('media.upload.keepBoth')}
      </Button>
    </Group>
  );
}

/** The input for the alt text of a picture that has arrived. */
function Described({ upload, item, onDescribed }: { upload: Upload; item: UploadedItem; onDescribed: () => void }) {
  const mayDescribe = useCan()('media.update', 'media:*');
  if (!lacksAlt(item) || !mayDescribe) return null;
  return (
    <AltInput
      workspace={upload.workspace}
      item={item}
      withWarning={false}
      onSaved={(alt) => uploads.setItem(upload.id, { ...item, alt })}
      onDone={onDescribed}
    />
  );
}

function RowActions({ upload: { id, name, state, canRetry } }: { upload: Upload }) {
  const over = state === 'failed' || state === 'cancelled';
  return (
    <Group gap={2} wrap="nowrap">
      {over && canRetry && (
        <ActionIcon size={24} aria-label={t('media.upload.retry', { name })} onClick={() => uploads.retry(id)}>
          <IconRefresh size={16} aria-hidden />
        </ActionIcon>
      )}
      {state !== 'done' && (
        <ActionIcon
          size={24}
          aria-label={t(over ? 'media.upload.dismiss' : 'media.upload.cancel', { name })}
          onClick={() => (over ? uploads.clear([id]) : uploads.cancel(id))}
        >
          <IconX size={16} aria-hidden />
        </ActionIcon>
      )}
    </Group>
  );
}

function stateText({ state, item, size }: Upload): string {
  if (state === 'sending') return '';
  if (item?.existing !== undefined) return t('media.upload.existing', { name: item.existing });
  if (state === 'done') return item?.alt || formatBytes(size);
  return t(`media.upload.state.${state}`);
}
