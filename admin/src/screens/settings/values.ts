/** The settings as the form has them: presets of pictures are a list, so that their names can be typed. */
import type { Settings } from '~/api/schema';
import { t } from '~/i18n';

type Stored = Settings['images']['presets'][string];

export const FITS = ['cover', 'contain', 'inside'] as const;
export const FORMATS = ['auto', 'jpeg', 'webp', 'png'] as const;

/** The limits of the server. */
export const SIDE_MAX = 3840;
export const QUALITY_MAX = 95;
const NAME_CHARS_MAX = 40;
const QUALITY_DEFAULT = 82;

/** A size of pictures that has a name. */
export interface Preset {
  name: string;
  /** The width; nothing if it follows from the height. */
  w: number | null;
  h: number | null;
  fit: (typeof FITS)[number];
  q: number;
  format: (typeof FORMATS)[number];
}

export type SettingsValues = Omit<Settings, 'images'> & { images: { cache_bytes: number; presets: readonly Preset[] } };

/** Returns a preset under a name that is free. */
export function newPreset(presets: readonly Preset[], name: string): Preset {
  const taken = presets.map((it) => it.name);
  const free = [name, ...presets.map((_, at) => `${name}-${at + 2}`)].find((it) => !taken.includes(it));
  return { name: free ?? '', w: 600, h: 400, fit: 'cover', q: QUALITY_DEFAULT, format: 'auto' };
}

/** Returns what was typed as a name that addresses can hold. */
export function presetName(text: string): string {
  return text.toLowerCase().replaceAll(/[^a-z0-9-]+/g, '-').slice(0, NAME_CHARS_MAX);
}

/** Returns the values of the form. The server sorts presets by name; here they stay in the order in which they were put. */
export function settingsValues(stored: Settings, order: readonly Preset[] = []): SettingsValues {
  const place = ({ name }: Preset) => (order.findIndex((it) => it.name === name) + 1) || Number.POSITIVE_INFINITY;
  const presets = Object.entries(stored.images.presets).map(([name, it]): Preset => {
    const { w = null, h = null, fit = 'cover', q = QUALITY_DEFAULT, format = 'auto' } = it;
    return { name, w, h, fit, q, format };
  });
  // Two that are nowhere in the order compare as neither before the other.
  presets.sort((a, b) => place(a) - place(b) || 0);
  return { ...stored, images: { ...stored.images, presets } };
}

/** Returns the changed values as the server takes them: of presets, all or none. */
export function sentValues({ images, ...others }: Partial<SettingsValues>) {
  // Of a group, only the values that were changed are given.
  const { presets, ...rest } = (images ?? {}) as Partial<SettingsValues['images']>;
  if (!presets) return { ...others, ...(images && { images: rest }) };
  const stored = presets.map(({ name, w, h, ...it }): [string, Stored] => [
    name,
    { ...(w !== null && { w }), ...(h !== null && { h }), ...it },
  ]);
  return { ...others, images: { ...rest, presets: Object.fromEntries(stored) } };
}

/** Returns what the server could not tell of presets, or not at their inputs. */
export function flawsOf(presets: readonly Preset[]): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [at, { name, w, h }] of presets.entries()) {
    if (name === '') found[`images.presets[${at}].name`] = t('settings.presets.nameMissing');
    else if (presets.findIndex((it) => it.name === name) < at) found[`images.presets[${at}].name`] = t('settings.presets.nameTaken');
    if (w === null && h === null) found[`images.presets[${at}].w`] = t('settings.presets.sideMissing');
  }
  return found;
}
