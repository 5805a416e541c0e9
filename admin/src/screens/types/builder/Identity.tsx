import { TextInput } from '@mantine/core';
import { t } from '~/i18n';
import { useBuilder } from '../builder-context';
import { defectOf } from '../draft/defects';
import { ROOT } from '../draft/draft';
import { setTypeLabel } from '../draft/edit';
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
