import { Drawer, Group, Text, UnstyledButton } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { Fragment, type RefObject, useEffect, useRef } from 'react';
import { t } from '~/i18n';
import { restoreLostFocus } from '~/ui/lost-focus';
import { rowId, useBuilder } from '../builder-context';
import { type DraftBlock, type DraftField, isField, pathTo } from '../draft/draft';
import { nodeLabel } from '../draft/edit';
import { FieldSettings } from '../field/FieldSettings';
import classes from '../types.module.css';
import { BlockSettings } from './BlockSettings';

/** The panel beside the page in which a field, or something inside one, is set up. */
export function NodePanel({ uid }: { uid: string | undefined }) {
  const { draft, open } = useBuilder();
  const trail = uid ? pathTo(draft, uid) : [];
  const node = trail.at(-1);
  const close = () => open(undefined);
  const row = rowId(trail[0]?.uid ?? '');
  const body = useRef<HTMLDivElement>(null);
  useFocusOnStep(body, trail.map((it) => it.uid));
  return (
    <Drawer
      opened={node !== undefined}
      onClose={() => {
        close();
        // What had the focus before the panel may be gone by now, such as a gallery.
        restoreLostFocus(() => document.getElementById(row));
      }}
      size={520}
      returnFocus={false}
      title={node && <Trail trail={trail} />}
      closeButtonProps={{ 'aria-label': t('general.close') }}
    >
      <div ref={body} tabIndex={-1}>
        {node && isField(node) && <FieldSettings key={node.uid} field={node} />}
        {node && !isField(node) && <BlockSettings key={node.uid} block={node} parent={trail.at(-2)?.uid ?? ''} />}
      </div>
    </Drawer>
  );
}

/**
 * Takes the keyboard along when the open panel shows another node: into the first input of one within,
 * and on the way back to the row that was gone into.
 */
function useFocusOnStep(body: RefObject<HTMLDivElement | null>, trail: readonly string[]): void {
  const now = trail.join();
  const before = useRef(now);
  useEffect(() => {
    const from = before.current === now || now === '' ? [] : before.current.split(',').filter(Boolean);
    before.current = now;
    if (from.length === 0) return;
    const row = from.map((uid) => document.getElementById(rowId(uid))).findLast((it) => body.current?.contains(it));
    const input = body.current?.querySelector<HTMLElement>('[data-autofocus]:enabled');
    (row ?? input ?? body.current)?.focus();
  }, [now, body]);
}

/** The place within the type, each step a way back. */
function Trail({ trail }: { trail: readonly (DraftField | DraftBlock)[] }) {
  const { open } = useBuilder();
  return (
    <Group gap={2} component="span">
      {trail.map((node, index) => (
        <Fragment key={node.uid}>
          {index > 0 && <IconChevronRight size={14} aria-hidden />}
          {index < trail.length - 1 ? (
            <UnstyledButton className={classes.crumb} onClick={() => open(node.uid)}>
              {nodeLabel(node)}
            </UnstyledButton>
          ) : (
            <Text component="span" fw={600}>
              {nodeLabel(node)}
            </Text>
          )}
        </Fragment>
      ))}
    </Group>
  );
}
