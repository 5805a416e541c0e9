import { Anchor, List, ScrollArea, Text } from '@mantine/core';
import { withBase } from '~/base';
import { t } from '~/i18n';
import { openDialog } from '~/ui/dialogs';
import type { BulkOutcome } from './bulk';

/** So many failures are told one by one. */
const MOST = 100;

interface Place {
  workspace: string;
  /** The content type of the entries. */
  type: string;
}

/** Tells which entries something was not possible for, and why. What refers to one is told by its page. */
export function showFailures(
  { workspace, type }: Place, outcome: BulkOutcome, total: number, titleOf: (id: string) => string | undefined,
): void {
  const failed = Object.entries(outcome.failed);
  openDialog({
    title: t('content.failed', { count: failed.length, total }),
    children: (
      <>
        <Text size="sm" c="dimmed" mb="xs">
          {t('content.failedHint')}
        </Text>
        <ScrollArea.Autosize mah="50vh" tabIndex={0}>
          <List size="sm" spacing={6} listStyleType="none">
            {failed.slice(0, MOST).map(([id, message]) => (
              <List.Item key={id}>
                <Anchor inherit fw={700} href={withBase(`/admin/w/${workspace}/content/${type}/${id}`)} target="_blank" rel="noopener noreferrer">
                  {titleOf(id) ?? id}
                </Anchor>
                : {message}
              </List.Item>
            ))}
          </List>
          {failed.length > MOST && (
            <Text size="sm" c="dimmed" mt="xs">
              {t('content.failedMore', { count: failed.length - MOST })}
            </Text>
          )}
        </ScrollArea.Autosize>
      </>
    ),
  });
}
