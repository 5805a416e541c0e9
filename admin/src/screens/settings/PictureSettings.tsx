import { Button, Text } from '@mantine/core';
import { IconPhoto, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { api, call } from '~/api/client';
import { queryKeys } from '~/api/keys';
import type { MediaItem } from '~/api/schema';
import { useCan } from '~/api/session';
import { t } from '~/i18n';
import { hasThumbnail } from '~/media/kinds';
import { AmountInput } from '~/ui/AmountInput';
import { useWorkspace } from '~/workspace';
import { BYTES } from './DeliverySettings';
import { PresetForm } from './PresetForm';
import { Section } from './Section';
import classes from './Settings.module.css';
import type { GroupProps } from './types';
import { newPreset, type Preset } from './values';

interface PictureSettingsProps extends GroupProps {
  /** The presets that the server knows. */
  stored: readonly Preset[];
}

/** The number of pictures to choose an example from. */
const EXAMPLES_MAX = 20;

/** The sizes in which sites ask for pictures by name, and the room that resized pictures take. */
export function PictureSettings(props: PictureSettingsProps) {
  const { form, field } = props;
  return (
    <Section title={t('settings.images')}>
      <Presets {...props} />
      <AmountInput
        label={t('settings.imagesCache')}
        {...field('images.cache_bytes', t('settings.imagesCacheHint'))}
        value={form.values.images.cache_bytes}
        onChange={(bytes) => bytes !== null && form.setValue('images.cache_bytes', bytes)}
        units={BYTES}
      />
    </Section>
  );
}

function Presets({ form: { values, setValue, errors }, field, stored }: PictureSettingsProps) {
  const { presets } = values.images;
  const { disabled, description, error } = field('images.presets', t('settings.presetsHint'));
  const list = useRef<HTMLUListElement>(null);
  const { picture, next } = useExample();
  const apply = (changed: readonly Preset[]) => setValue('images.presets', changed);
  const focus = (at: number) =>
    requestAnimationFrame(() => list.current?.querySelectorAll<HTMLInputElement>('input[data-name]')[at]?.focus());
  const add = () => {
    apply([...presets, newPreset(presets, t('settings.presets.newName'))]);
    focus(presets.length);
  };
  return (
    <div>
      <Text size="sm" fw={600}>
        {t('settings.presets')}
      </Text>
      <Text size="xs" c="dimmed">
        {description}
      </Text>
      <ul className={classes.presets} ref={list} aria-label={t('settings.presets')}>
        {presets.map((preset, at) => (
          // A preset has no other name than its place while its name is typed.
          <PresetForm
            key={at}
            preset={preset}
            place={at + 1}
            errors={{
              name: errors[`images.presets[${at}].name`] ?? errors[`images.presets.${preset.name}`],
              w: errors[`images.presets[${at}].w`] ?? errors[`images.presets.${preset.name}.w`],
            }}
            disabled={disabled}
            isStored={stored.some((it) => JSON.stringify(it) === JSON.stringify(preset))}
            picture={picture}
            onChange={(change) => apply(presets.with(at, { ...preset, ...change }))}
            onRemove={() => {
              apply(presets.toSpliced(at, 1));
              focus(Math.max(0, at - 1));
            }}
          />
        ))}
      </ul>
      {error && (
        <Text size="xs" c="var(--mantine-color-error)" role="alert" mb="xs">
          {error}
        </Text>
      )}
      {!disabled && (
        <Button variant="default" size="xs" leftSection={<IconPlus size={14} aria-hidden />} onClick={add}>
          {t('settings.presets.add')}
        </Button>
      )}{' '}
      {presets.length > 0 && next && (
        <Button variant="subtle" size="xs" leftSection={<IconPhoto size={14} aria-hidden />} onClick={next}>
          {t('settings.presets.otherPicture')}
        </Button>
      )}
    </div>
  );
}

/** Returns a picture of the media library to show presets on, and the way to another one if there is one. */
function useExample(): { picture: MediaItem | undefined; next: (() => void) | undefined } {
  const can = useCan();
  const workspace = useWorkspace();
  const [turn, setTurn] = useState(0);
  const { data = [] } = useQuery({
    queryKey: queryKeys.examplePictures(workspace),
    queryFn: async () => {
      const query = { type: 'image', sort: '-uploaded_at', limit: EXAMPLES_MAX } as const;
      const { data: items } = await call(api.GET('/admin/api/media', { params: { query } }));
      return items.filter((it) => hasThumbnail(it.mime) && it.width !== null && it.height !== null);
    },
    enabled: workspace !== '' && can('media.read', 'media:*'),
  });
  return {
    picture: data[turn % (data.length || 1)],
    next: data.length > 1 ? () => setTurn(turn + 1) : undefined,
  };
}
