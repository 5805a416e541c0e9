import { ActionIcon, Button, Checkbox, Group, Text, Textarea, TextInput, Tooltip } from '@mantine/core';
import { IconAlertTriangle, IconPencil } from '@tabler/icons-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { MediaItem } from '~/api/schema';
import { t } from '~/i18n';
import { saveAlt, saveDecorative, saveDetails } from './details';
import classes from './DescribePicture.module.css';
import { lacksAlt } from './filter';

interface DescribePictureProps {
  workspace: string;
  item: MediaItem;
  readOnly: boolean;
  /** Shows the inputs also where nothing is missing. */
  opened: boolean;
  onOpened: (opened: boolean) => void;
}

/**
 * The texts about a picture, at the place where it is used. They belong to the file: they are stored
 * at once, not with the entry, and hold wherever the file is shown.
 */
export function DescribePicture({ workspace, item, readOnly, opened, onOpened }: DescribePictureProps) {
  const pencil = useRef<HTMLButtonElement>(null);
  if (readOnly) return <Said item={item} />;
  if (!lacksAlt(item) && !opened) {
    return (
      <Group gap={4} wrap="nowrap" align="flex-start">
        <Said item={item} />
        <Tooltip label={t('picture.edit')}>
          <ActionIcon ref={pencil} size={24} onClick={() => onOpened(true)} aria-label={t('picture.editNamed', { name: item.filename })}>
            <IconPencil size={14} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </Group>
    );
  }
  const close = () => {
    onOpened(false);
    // It takes the keyboard from the input that goes.
    requestAnimationFrame(() => pencil.current?.focus());
  };
  return (
    <div className={classes.inputs}>
      {!item.decorative && (
        <AltInput key={item.filename} workspace={workspace} item={item} withFocus={opened} onDone={close} />
      )}
      <Checkbox
        size="xs"
        label={t('picture.decorative')}
        checked={item.decorative}
        disabled={item.alt !== ''}
        onChange={(event) => void saveDecorative(workspace, item, event.currentTarget.checked)}
      />
      {opened && <TitleInput key={`${item.filename} title`} workspace={workspace} item={item} onDone={close} />}
      {opened && (
        <Group justify="space-between" gap="xs">
          <Text size="xs" c="dimmed" className={classes.hint}>
            {t('picture.everywhere')}
          </Text>
          <Button size="compact-xs" variant="default" onClick={close}>
            {t('picture.done')}
          </Button>
        </Group>
      )}
    </div>
  );
}

/** The texts about a picture, to be read. */
function Said({ item }: { item: MediaItem }) {
  if (lacksAlt(item)) return <Missing />;
  return (
    <Text size="xs" c="dimmed" className={classes.said} title={item.alt || undefined} lineClamp={3}>
      {item.alt || (item.decorative ? t('picture.isDecorative') : item.title)}
    </Text>
  );
}

/** The warning about a picture that nobody has described. */
export function Missing() {
  return (
    <Text size="xs" className={classes.missing}>
      <IconAlertTriangle size={13} aria-hidden /> {t('fields.media.noAlt')}
    </Text>
  );
}

interface TextProps {
  workspace: string;
  item: MediaItem;
  onDone?: () => void;
}

interface AltInputProps extends TextProps {
  withFocus?: boolean;
  withWarning?: boolean;
  onSaved?: (alt: string) => void;
}

/** The alt text of a file, stored when it is left, or by Enter. */
export function AltInput({ workspace, item, onDone, onSaved, withFocus = false, withWarning = true }: AltInputProps) {
  const save = async (alt: string) => {
    const saved = await saveAlt(workspace, item, alt);
    if (saved) onSaved?.(alt);
    return saved;
  };
  const text = useStoredText(item.alt, save, onDone);
  const input = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (withFocus) input.current?.focus();
  }, [withFocus]);
  return (
    <Textarea
      ref={input}
      size="xs"
      label={t('picture.altOf', { name: item.filename })}
      labelProps={withFocus ? {} : { className: 'visually-hidden' }}
      placeholder={t('picture.describe')}
      autosize
      minRows={1}
      maxRows={5}
      maxLength={2000}
      classNames={{ input: item.alt === '' && withWarning ? classes.wanting : undefined }}
      description={item.alt === '' && withWarning ? <Missing /> : undefined}
      inputWrapperOrder={['label', 'input', 'description']}
      {...text}
    />
  );
}

/** The title of a file. */
function TitleInput({ workspace, item, onDone }: TextProps) {
  const save = (title: string) => saveDetails(workspace, item, { title }, t('picture.titleSaved', { name: item.filename }));
  return <TextInput size="xs" label={t('picture.title')} maxLength={2000} {...useStoredText(item.title, save, onDone)} />;
}

/** Binds an input to a text that is stored when it is left; Esc drops what was typed. */
function useStoredText(stored: string, save: (text: string) => Promise<boolean>, onDone: (() => void) | undefined) {
  const [typed, setTyped] = useState<string>();
  const commit = async () => {
    const text = typed?.trim();
    if (text === undefined || text === stored) return setTyped(undefined);
    // What could not be stored stays in the input.
    if (await save(text)) setTyped(undefined);
  };
  return {
    value: typed ?? stored,
    onChange: (event: { currentTarget: { value: string } }) => setTyped(event.currentTarget.value),
    onBlur: () => void commit(),
    onKeyDown: (event: KeyboardEvent) => {
      const saves = event.key.toLowerCase() === 's' && (event.ctrlKey || event.metaKey);
      if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) {
        // Within a form, Enter would send it.
        event.preventDefault();
        void commit().then(onDone);
      } else if (saves) void commit();
      else if (event.key === 'Escape' && typed !== undefined) {
        event.stopPropagation();
        setTyped(undefined);
      }
    },
  };
}
