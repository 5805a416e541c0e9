import type { ReactNode } from 'react';
import type { FieldDefinition } from '~/api/fields';
import type { MediaItem } from '~/api/schema';
import { t } from '~/i18n';
import { Missing } from '~/media/DescribePicture';
import { lacksAlt } from '~/media/filter';
import type { Neighbours } from '../neighbours';

export interface PlaceTextsProps {
  item: MediaItem;
  definition: FieldDefinition;
  neighbours: Neighbours;
  /** The inputs for the texts of the file, where the entry has no alt text of its own. */
  children: ReactNode;
}

/** The texts that an entry has about a picture in this place: fields of the entry, shown in the card of the picture. */
export function PlaceTexts({ item, definition: { alt_field, caption_field }, neighbours, children }: PlaceTextsProps) {
  return (
    <>
      {alt_field ? neighbours.show(alt_field, { placeholder: item.alt || t('picture.describe') }, false) : children}
      {alt_field && lacksAlt(item) && neighbours.whileEmpty(alt_field, <Missing />)}
      {caption_field && neighbours.show(caption_field, {}, false)}
    </>
  );
}
