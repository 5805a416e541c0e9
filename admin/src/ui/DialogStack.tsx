import { Modal } from '@mantine/core';
import { useState } from 'react';
import { t } from '~/i18n';
import { closeDialog, type Dialog, useDialogs } from './dialogs';
import { useOpening } from './return-focus';

/** Shows the topmost of the dialogs that were opened by a call. */
export function DialogStack() {
  const top = useDialogs().at(-1);
  // Kept while it fades out.
  const [shown, setShown] = useState<Dialog>();
  if (top && top !== shown) setShown(top);
  const opening = useOpening(top !== undefined);
  return (
    <Modal
      key={opening.key}
      opened={opening.opened}
      data-dialog-stack
      closeOnEscape={false}
      onClose={() => top && closeDialog(top)}
      title={shown?.title}
      size={shown?.size}
      closeButtonProps={{ 'aria-label': t('general.close') }}
    >
      {shown?.children}
    </Modal>
  );
}
