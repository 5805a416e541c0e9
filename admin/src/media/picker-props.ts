import type { MediaItem } from '~/api/schema';

/** The properties of the dialog that picks files. */
export interface MediaPickerProps {
  opened: boolean;
  onClose: () => void;
  /** Called once with what was picked, in the order of picking. */
  onPick: (items: readonly MediaItem[]) => void;
  multiple?: boolean;
  /** MIME patterns (`image/*`) that the field takes. */
  accept?: readonly string[] | undefined;
  /** File names that are picked already; where several can be, they are not given again. */
  picked?: readonly string[];
  /** False if the caller says where the focus goes. */
  returnFocus?: boolean;
}
