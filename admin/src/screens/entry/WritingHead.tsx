import { Textarea } from '@mantine/core';
import { isApiError } from '~/api/error';
import { fieldLabel } from '~/api/fields';
import { t } from '~/i18n';
import { useEditing } from './context';
import classes from './Editor.module.css';
import { slotOf } from './form/form';
import { useFormState } from './form/store';
import { StateText } from './Head';
import { type Actions, SaveButton } from './save/SaveButton';

/** The head of a text that fills the window: the title of its entry, which can be edited, and saving. */
export function WritingHead({ actions, kept }: { actions: Actions; kept: boolean }) {
  const { type, form, locale, readOnly } = useEditing();
  const slot = slotOf(type, 'title', locale);
  const title = useFormState(form, (state) => state.values[slot]);
  const failure = useFormState(form, (state) => state.failure);
  const definition = type.fields.title;
  return (
    <>
      <Textarea
        variant="unstyled"
        className={classes.writingTitle}
        classNames={{ input: classes.writingTitleInput }}
        value={typeof title === 'string' ? title : ''}
        // A title has one line, which wraps.
        onChange={(event) => form.set(slot, event.currentTarget.value.replaceAll('\n', ' '))}
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
        autosize
        minRows={1}
        maxRows={3}
        placeholder={t('general.untitled')}
        aria-label={definition ? fieldLabel('title', definition) : t('entry.titleField')}
        readOnly={readOnly || definition?.readonly === true}
      />
      <div className={classes.writingState}>
        {failure ? (
          // The bar about it is behind the text; *Save* tries again.
          <span className={classes.unsaved} role="alert">
            {t('saving.failed')} {isApiError(failure.error) ? failure.error.message : t('general.failedHint')}
          </span>
        ) : (
          <StateText kept={kept} />
        )}
        <SaveButton actions={actions} />
      </div>
    </>
  );
}
