import type { BoundProps, RecordFormState } from '~/ui/useRecordForm';
import type { SettingsValues } from './values';

/** The properties of a group of settings. */
export interface GroupProps {
  form: RecordFormState<SettingsValues>;
  /** Binds an input to the setting at a path; one that something else decides is disabled and says so. */
  field: (path: string, hint?: string) => BoundProps & { disabled: boolean; description: string | undefined };
}
