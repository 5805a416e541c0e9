import { TextInput } from '@mantine/core';
import { language, t } from '~/i18n';
import { tSingular } from '~/i18n/singular';
import { useBuilder } from '../builder-context';
import { defectOf } from '../draft/defects';
import { ROOT } from '../draft/draft';
import { setTypeLabel } from '../draft/edit';
import { singularFor } from '../draft/singular';
import classes from '../types.module.css';
import { IconPicker } from './IconPicker';

/** The label, the name and the icon of a content type. */
export function Identity() {
  const { draft, change, isNew, readOnly, types, defects } = useBuilder();
  const taken = types.map((it) => it.name);
  return (
    <div className={`${classes.panel} ${classes.identity}`}>
      <IconPicker value={draft.icon} onChange={(icon) => change((it) => ({ ...it, icon }))} disabled={readOnly} />
      <TextInput
        id="type-label"
        label={t('types.label')}
        placeholder={t('types.labelPlaceholder')}
        value={draft.label}
        onChange={(event) => {
          const { value } = event.currentTarget;
          change((it) => setTypeLabel(it, value, taken));
        }}
        error={defectOf(defects, ROOT, 'label')}
        readOnly={readOnly}
        required
        autoComplete="off"
      />
      {!draft.singleton && <SingularInput />}
      <TextInput
        label={t('types.name')}
        description={isNew ? t('types.nameHint') : undefined}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        value={draft.name}
        onChange={(event) => {
          const { value } = event.currentTarget;
          change((it) => ({ ...it, name: value, nameTouched: value !== '' }));
        }}
        error={defectOf(defects, ROOT, 'name')}
        readOnly={!isNew || readOnly}
        variant={isNew ? 'default' : 'filled'}
        required={isNew}
        classNames={{ input: classes.mono }}
        spellCheck={false}
        autoComplete="off"
      />
    </div>
  );
}

/** The word for one entry. What is proposed for the label stands there as an example. */
function SingularInput() {
  const { draft, change, readOnly, defects } = useBuilder();
  const proposed = singularFor(draft.label, language());
  return (
    <TextInput
      label={t('types.labelSingular')}
      description={t('types.labelSingularHint', { example: tSingular('content.create', { ...draft, label_singular: draft.label_singular || proposed }) })}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      placeholder={proposed || t('types.labelSingularPlaceholder')}
      value={draft.label_singular}
      onChange={(event) => {
        const { value } = event.currentTarget;
        change((it) => ({ ...it, label_singular: value, singularTouched: true }));
      }}
      error={defectOf(defects, ROOT, 'label_singular')}
      readOnly={readOnly}
      autoComplete="off"
    />
  );
}
