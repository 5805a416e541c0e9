import { Input, SegmentedControl, Switch } from '@mantine/core';
import type { Width } from '~/api/fields';
import { t } from '~/i18n';
import { useBuilder } from '../builder-context';
import type { DraftField } from '../draft/draft';
import { setDefinition } from '../draft/edit';
import { OwnSettings } from './OwnSettings';
import { VisibleIf } from './VisibleIf';
import { layoutWith, WIDTHS, widthOf } from './WidthMenu';

/** The appearance of a field in the form. */
export function FieldAppearance({ field }: { field: DraftField }) {
  const { change, readOnly } = useBuilder();
  const { hidden, readonly } = field.definition;
  const set = (setting: Parameters<typeof setDefinition>[2]) => change((it) => setDefinition(it, field.uid, setting));
  return (
    <>
      <Input.Wrapper label={t('types.width')} labelElement="div" description={t('types.widthHint')}>
        <SegmentedControl
          mt={6}
          fullWidth
          disabled={readOnly}
          aria-label={t('types.width')}
          value={widthOf(field)}
          onChange={(value) => set(layoutWith(field, value as Width))}
          data={WIDTHS.map((value) => ({ value, label: t(`types.width.${value}`) }))}
        />
      </Input.Wrapper>
      <OwnSettings field={field} part="appearance" />
      <VisibleIf field={field} />
      <Switch
        label={t('types.readonly')}
        description={t('types.readonlyHint')}
        checked={readonly === true}
        onChange={(event) => set({ readonly: event.currentTarget.checked || undefined })}
      />
      <Switch
        label={t('types.hidden')}
        description={t('types.hiddenHint')}
        checked={hidden === true}
        onChange={(event) => set({ hidden: event.currentTarget.checked || undefined })}
      />
    </>
  );
}
