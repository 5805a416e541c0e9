import { Alert, List, Text, UnstyledButton } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { t } from '~/i18n';
import { useBuilder } from '../builder-context';
import { pathTo, ROOT } from '../draft/draft';
import { nodeLabel } from '../draft/edit';
import classes from '../types.module.css';

interface DefectSummaryProps {
  defects: readonly { uid: string; setting: string; message: string }[];
}

/** Everything that keeps the type from being saved, each with the way to it. */
export function DefectSummary({ defects }: DefectSummaryProps) {
  const { draft, open } = useBuilder();
  const box = useRef<HTMLDivElement>(null);
  const count = defects.length;
  const previous = useRef(0);
  useEffect(() => {
    // Several at once come from a save that was refused; one comes from typing, which goes on.
    if (count > 0 && previous.current === 0 && !box.current?.ownerDocument.activeElement?.matches('input, textarea')) box.current?.focus();
    previous.current = count;
  }, [count]);
  if (count === 0) return null;
  return (
    <Alert
      ref={box}
      tabIndex={-1}
      color="red"
      icon={<IconAlertCircle size={18} aria-hidden />}
      title={t('types.mistakesTitle', { count })}
      mb="md"
    >
      <List size="sm">
        {defects.map(({ uid, setting, message }) => {
          const where = pathTo(draft, uid).map(nodeLabel).join(' › ');
          return (
            <List.Item key={`${uid}-${setting}`}>
              {uid === ROOT ? (
                <Text span fw={600} size="sm">
                  {setting}
                </Text>
              ) : (
                <UnstyledButton className={classes.crumb} onClick={() => open(uid)}>
                  {where}
                </UnstyledButton>
              )}{' '}
              {message}
            </List.Item>
          );
        })}
      </List>
    </Alert>
  );
}
