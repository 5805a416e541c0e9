import { Button, Checkbox, Group, Loader, Modal, Radio, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { activeChangesQuery } from '~/api/changes/queries';
import { t } from '~/i18n';
import { useReturnFocus } from '~/ui/return-focus';
import { Waiting } from '~/ui/Waiting';
import { useEditing } from '../context';
import { useFormState } from '../form/store';
import { LIVE } from '../view';

/** The choice that stands for a change that is still to be begun. */
const NEW = '~new';

/** A change to save into: one that there is, or the name of a new one. */
export type ChosenChange = { id: string } | { label: string };

interface ChangeDialogProps {
  /** Called with the change, and with true if a draft is to be published with it. */
  onChoose: (change: ChosenChange, publishes: boolean) => void;
  onClose: () => void;
}

/** Asks for the change that the entry is to be a part of. */
export function ChangeDialog({ onChoose, onClose }: ChangeDialogProps) {
  useReturnFocus();
  const { workspace, view, form, rights } = useEditing();
  const query = useQuery(activeChangesQuery(workspace));
  const [chosen, setChosen] = useState<string>();
  const [label, setLabel] = useState('');
  const [missing, setMissing] = useState(false);
  const [publishes, setPublishes] = useState(true);
  const isDraft = useFormState(form, ({ values }) => (values.status ?? 'draft') === 'draft') && rights.publish;
  // Of a draft that is as it was stored, that is all there is to propose.
  const changed = useFormState(form, (state) => state.changed.size > 0 || !state.entry) || view !== LIVE;
  const choose = (change: ChosenChange) => onChoose(change, isDraft && (publishes || !changed));
  const changes = (query.data ?? []).filter((it) => !it.pending && it.id !== view);
  const value = chosen ?? (changes.length === 0 ? NEW : (changes[0]?.id ?? NEW));
  return (
    <Modal opened onClose={onClose} title={t('entry.into.title')} closeButtonProps={{ 'aria-label': t('general.close') }}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (value !== NEW) choose({ id: value });
          else if (label.trim()) choose({ label: label.trim() });
          else setMissing(true);
        }}
      >
        <Text size="sm" mb="md">
          {t('entry.into.body')}
        </Text>
        {query.isPending ? (
          <Waiting what={t('shell.changes')}>
            <Loader size="sm" />
          </Waiting>
        ) : (
          <Radio.Group label={t('changes.one')} value={value} onChange={setChosen}>
            <Stack gap="xs" mt="xs">
              {changes.map((it) => (
                <Radio key={it.id} value={it.id} label={it.label} description={t('general.entries', { count: it.entries.length })} />
              ))}
              <Radio value={NEW} label={t('entry.into.new')} />
            </Stack>
          </Radio.Group>
        )}
        {value === NEW && !query.isPending && (
          <TextInput
            mt="sm"
            label={t('entry.into.label')}
            placeholder={t('entry.into.labelExample')}
            value={label}
            onChange={(event) => {
              setLabel(event.currentTarget.value);
              setMissing(false);
            }}
            error={missing && t('entry.into.missing')}
            required
            withAsterisk={false}
            maxLength={100}
            data-autofocus
          />
        )}
        {isDraft && (
          <Checkbox
            mt="md"
            label={t('entry.into.publish')}
            description={t('entry.into.publishHint')}
            checked={publishes || !changed}
            disabled={!changed}
            onChange={(event) => setPublishes(event.currentTarget.checked)}
          />
        )}
        <Group justify="flex-end" gap="xs" mt="lg">
          <Button variant="default" onClick={onClose}>
            {t('general.cancel')}
          </Button>
          <Button type="submit">{t('entry.into.action')}</Button>
        </Group>
      </form>
    </Modal>
  );
}
