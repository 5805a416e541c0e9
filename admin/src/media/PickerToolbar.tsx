import { Group, Select, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { t } from '~/i18n';
import { CategorySelect } from './CategorySelect';
import { MEDIA_CLASSES, type MediaClass } from './kinds';
import classes from './MediaPicker.module.css';
import type { Visibility } from './upload-queue';
import { UploadButton } from './UploadButton';

interface PickerToolbarProps {
  q: string;
  onSearch: (q: string) => void;
  category: string | undefined;
  onCategory: (category: string | undefined) => void;
  categories: readonly string[];
  type: MediaClass | undefined;
  /** Missing where the field takes one sort of file only. */
  onType: ((type: MediaClass | undefined) => void) | undefined;
  accept: readonly string[] | undefined;
  onUpload: ((files: File[]) => void) | undefined;
  visibility: Visibility;
  onVisibility: (visibility: Visibility) => void;
}

/** The search and filters of the picker, and the button that adds files. */
export function PickerToolbar(props: PickerToolbarProps) {
  const { onType, onUpload } = props;
  return (
    <Group gap="xs" className={classes.toolbar}>
      <TextInput
        className={classes.search}
        type="search"
        aria-label={t('media.search')}
        placeholder={t('media.search')}
        leftSection={<IconSearch size={16} aria-hidden />}
        value={props.q}
        onChange={(event) => props.onSearch(event.currentTarget.value)}
        data-autofocus
      />
      <CategorySelect
        className={classes.select}
        all
        categories={props.categories}
        value={props.category}
        onChange={props.onCategory}
      />
      {onType && (
        <Select
          className={classes.select}
          aria-label={t('media.type')}
          data={[
            { value: '', label: t('media.type.all') },
            ...MEDIA_CLASSES.map((value) => ({ value, label: t(`media.type.${value}`) })),
          ]}
          value={props.type ?? ''}
          onChange={(value) => onType(MEDIA_CLASSES.find((it) => it === value))}
        />
      )}
      {onUpload && (
        <UploadButton
          variant="default"
          accept={props.accept?.join(',')}
          onUpload={onUpload}
          visibility={props.visibility}
          onVisibility={props.onVisibility}
        />
      )}
    </Group>
  );
}
