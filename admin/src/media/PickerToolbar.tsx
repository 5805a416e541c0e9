import { Button, FileButton, Group, Select, TextInput } from '@mantine/core';
import { IconSearch, IconUpload } from '@tabler/icons-react';
import { t } from '~/i18n';
import { CategorySelect } from './CategorySelect';
import { MEDIA_CLASSES, type MediaClass } from './kinds';
import classes from './MediaPicker.module.css';

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
}

/** How the files to pick from are found, and new ones added. */
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
        <FileButton multiple accept={props.accept?.join(',') ?? ''} onChange={onUpload}>
          {(button) => (
            <Button variant="default" leftSection={<IconUpload size={16} aria-hidden />} {...button}>
              {t('media.upload')}
            </Button>
          )}
        </FileButton>
      )}
    </Group>
  );
}
