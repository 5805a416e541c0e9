/** The fields with the texts about a picture, which stand in the card of the picture. */
import type { FieldDefinition } from '~/api/fields';
import { fitsKind } from '../shape';
import { isVisible } from '../visible';

/** Returns the names of the fields with the texts about the picture of a field. */
export function textFieldsOf({ type, multiple, alt_field, caption_field }: FieldDefinition): string[] {
  if (type !== 'media' || multiple) return [];
  return [alt_field, caption_field].filter((it) => typeof it === 'string' && it !== '') as string[];
}

/** Checks whether a field is shown in the card of a picture, and so not by itself. */
export function isInCard(fields: Readonly<Record<string, FieldDefinition>>, name: string, valueOf: (name: string) => unknown): boolean {
  const owner = Object.entries(fields).find(([, it]) => textFieldsOf(it).includes(name));
  if (!owner) return false;
  const [media, definition] = owner;
  return !definition.hidden && isVisible(definition, valueOf) && fitsKind(definition, valueOf(media));
}
