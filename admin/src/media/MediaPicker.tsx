import { Modal } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { t } from '~/i18n';
import { useOpening } from '~/ui/return-focus';
import classes from './MediaPicker.module.css';
import { PickerBody } from './PickerBody';
import type { MediaPickerProps } from './picker-props';

/** A dialog to pick media files from the library, or to upload new ones on the way. */
export function MediaPicker(props: MediaPickerProps) {
  const phone = useMediaQuery('(max-width: 36em)');
  return (
    <Modal
      opened={useOpening(props.opened).opened}
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
