import type { ContentTypeShape } from '~/api/fields';
import type { AdminEntry } from '~/api/schema';

/** The properties of the editor of one entry. */
export interface EntryScreenProps {
  workspace: string;
  type: ContentTypeShape;
  /** Nothing while the entry is new. */
  id: string | undefined;
  /** The version to edit: {@link LIVE}, or the change that it is proposed in. */
  view: string;
  /** Goes on in another version, with what is in the form. */
  onMoved: (view: string) => void;
  /** The newest version of the server's that is known. */
  latest: AdminEntry | undefined;
  /** The time of that reading, in milliseconds. */
  latestAt: number;
  /** True if the server says that there is none. */
  missing: boolean;
  onCreated: (entry: AdminEntry) => void;
  onAnother: () => void;
}
