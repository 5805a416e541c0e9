import { Modal } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { MediaItem } from '~/api/schema';
import { t } from '~/i18n';
import { later } from '~/ui/later';
import { useOpening } from '~/ui/return-focus';
import classes from './MediaPicker.module.css';

/** The properties of the dialog that picks files. */
export interface MediaPickerProps {
  opened: boolean;
  onClose: () => void;
  /** Called once with what was picked, in the order of picking. */
  onPick: (items: readonly MediaItem[]) => void;
  multiple?: boolean;
  /** MIME patterns (`image/*`) that the field takes. */
  accept?: readonly string[] | undefined;
  /** File names that are picked already; where several can be, they are not given again. */
  picked?: readonly string[];
  /** False if the caller says where the focus goes. */
  returnFocus?: boolean;
}

const PickerBody = later(() => import('./PickerBody').then((it) => it.PickerBody));

/** A dialog to pick media files from the library, or to upload new ones on the way. */
export function MediaPicker(props: MediaPickerProps) {
  const phone = useMediaQuery('(max-width: 36em)');
  return (
    <Modal
      opened={useOpening(props.opened)}
      onClose={props.onClose}
      returnFocus={props.returnFocus ?? true}
      title={t(props.multiple ? 'media.picker.titleMany' : 'media.picker.title')}
      size="60rem"
      fullScreen={phone ?? false}
      closeButtonProps={{ 'aria-label': t('general.close') }}
      classNames={{ content: classes.content, body: classes.body }}
    >
      <PickerBody {...props} />
    </Modal>
  );
}
