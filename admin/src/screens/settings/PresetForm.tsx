import { ActionIcon, Anchor, Code, Group, NumberInput, Select, Text, TextInput } from '@mantine/core';
import { IconExternalLink, IconX } from '@tabler/icons-react';
import type { MediaItem } from '~/api/schema';
import { t } from '~/i18n';
import { CopyButton } from '~/ui/CopyButton';
import { framedOf, objectPosition, sizeOf } from './preset-preview';
import classes from './Settings.module.css';
import { FITS, FORMATS, type Preset, presetName, QUALITY_MAX, SIDE_MAX } from './values';

interface PresetFormProps {
  preset: Preset;
  /** In the list, from 1. */
  place: number;
  errors: { name: string | undefined; w: string | undefined };
  disabled: boolean;
  /** True if the server knows the preset as it is here. */
  isStored: boolean;
  /** A picture to show it on. */
  picture: MediaItem | undefined;
  onChange: (change: Partial<Preset>) => void;
  onRemove: () => void;
}

/** A size of pictures that has a name, with what comes of it. */
export function PresetForm({ preset, place, errors, disabled, isStored, picture, onChange, onRemove }: PresetFormProps) {
  const name = preset.name || String(place);
  const side = (key: 'w' | 'h', error?: string) => (
    <NumberInput
      label={t(`settings.presets.${key}`)}
      value={preset[key] ?? ''}
      onChange={(typed) => onChange({ [key]: typeof typed === 'number' ? typed : null })}
      placeholder={t('settings.presets.free')}
      suffix=" px"
      min={1}
      max={SIDE_MAX}
      allowDecimal={false}
      hideControls
      disabled={disabled}
      error={error}
    />
  );
  const isCut = preset.w !== null && preset.h !== null;
  return (
    <li className={classes.preset}>
      <div role="group" aria-label={t('settings.presets.one', { name })} className={classes.presetInputs}>
        <TextInput
          label={t('settings.presets.name')}
          value={preset.name}
          onChange={(event) => onChange({ name: presetName(event.currentTarget.value) })}
          disabled={disabled}
          error={errors.name}
          spellCheck={false}
          data-name
          className={classes.presetName}
        />
        {side('w', errors.w)}
        {side('h')}
        <Select
          label={t('settings.presets.fit')}
          data={FITS.map((it) => ({ value: it, label: t(`settings.presets.fit.${it}`) }))}
          value={preset.fit}
          onChange={(fit) => fit && onChange({ fit: fit as Preset['fit'] })}
          allowDeselect={false}
          disabled={disabled || !isCut}
          className={classes.presetFit}
        />
        <Select
          label={t('settings.presets.format')}
          data={FORMATS.map((it) => ({ value: it, label: it === 'auto' ? t('settings.presets.format.auto') : it.toUpperCase() }))}
          value={preset.format}
          onChange={(format) => format && onChange({ format: format as Preset['format'] })}
          allowDeselect={false}
          disabled={disabled}
        />
        <NumberInput
          label={t('settings.presets.q')}
          value={preset.q}
          onChange={(typed) => typeof typed === 'number' && onChange({ q: typed })}
          min={1}
          max={QUALITY_MAX}
          allowDecimal={false}
          hideControls
          disabled={disabled || preset.format === 'png' || preset.format === 'webp'}
        />
        <Parameter name={preset.name} picture={isStored ? picture : undefined} />
      </div>
      {picture && <Preview preset={preset} picture={picture} />}
      {!disabled && (
        <ActionIcon onClick={onRemove} aria-label={t('settings.presets.remove', { name })} className={classes.presetRemove}>
          <IconX size={16} aria-hidden />
        </ActionIcon>
      )}
    </li>
  );
}

/** The parameter that asks for the preset, and a picture in it. */
function Parameter({ name, picture }: { name: string; picture: MediaItem | undefined }) {
  const text = `?preset=${name}`;
  return (
    <Group gap={4} className={classes.presetName}>
      <Code>{text}</Code>
      <CopyButton value={text} label={t('settings.presets.copy', { name })} />
      {picture && (
        <Anchor href={picture.path + text} target="_blank" rel="noopener noreferrer" size="sm" underline="always">
          {t('settings.presets.open')} <IconExternalLink size={13} aria-hidden />
        </Anchor>
      )}
    </Group>
  );
}

/** The width in which previews load a picture: as a variant, so that its crop counts. */
const LOADED_WIDTH = 320;

/** The longer side of a preview in pixels. */
const SHOWN_SIDE = 128;

/** The shape that comes of the preset, on a picture of the media library. */
function Preview({ preset, picture }: { preset: Preset; picture: MediaItem }) {
  const framed = framedOf(picture);
  if (!framed || (preset.w === null && preset.h === null)) return null;
  const size = sizeOf(preset, framed);
  const scale = SHOWN_SIDE / Math.max(...size);
  return (
    <figure className={classes.presetPreview}>
      <span className={classes.presetBox}>
        <img
          src={`${picture.path}?w=${LOADED_WIDTH}&v=${picture.etag}`}
          alt=""
          data-fit={preset.fit}
          style={{
            width: Math.round(size[0] * scale),
            height: Math.round(size[1] * scale),
            objectPosition: objectPosition(framed, size),
          }}
        />
      </span>
      <Text component="figcaption" size="xs" c="dimmed">
        {t('settings.presets.size', { width: String(size[0]), height: String(size[1]) })}
      </Text>
    </figure>
  );
}
