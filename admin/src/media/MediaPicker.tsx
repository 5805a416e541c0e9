import type { MediaItem } from '~/api/schema';

export interface MediaPickerProps {
  opened: boolean;
  onClose: () => void;
  /** Called once with what was picked, in the order of picking. */
  onPick: (items: readonly MediaItem[]) => void;
  multiple?: boolean;
  /** MIME patterns (`image/*`) that the field takes. */
  accept?: readonly string[] | undefined;
  /** File names that are picked already. */
  picked?: readonly string[];
}

/** A dialog to pick media files from the library, or to upload new ones on the way. */
export function MediaPicker(_: MediaPickerProps) {
  return null;
}
