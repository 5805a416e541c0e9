import { Button, Group, Modal, Text } from '@mantine/core';
import { useState } from 'react';
import { FieldInput } from '~/fields/FieldInput';
import { FieldProblems, useOneProblem } from '~/fields/problems';
import { t } from '~/i18n';
import { useReturnFocus } from '~/ui/return-focus';
import { useEditing } from '../context';
import { NO_ERRORS } from '../form/form';

interface ScheduleDialogProps {
  onClose: () => void;
  onSchedule: (at: string) => void;
}

/** Asks from when on everybody is to see the entry. */
export function ScheduleDialog({ onClose, onSchedule }: ScheduleDialogProps) {
  useReturnFocus();
  const { workspace, type, id, form } = useEditing();
  const [at, setAt] = useState(form.state().values.published_at);
  const [problem, setProblem] = useState<string>();
  const [unfinished, report] = useOneProblem();
  return (
    <Modal opened onClose={onClose} title={t('entry.schedule.title')} closeButtonProps={{ 'aria-label': t('general.close') }}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          // The input tells what is wrong with it.
          if (unfinished !== undefined) return;
          const time = typeof at === 'string' ? Date.parse(at) : Number.NaN;
          if (Number.isNaN(time)) setProblem(t('entry.schedule.missing'));
          else if (time <= Date.now()) setProblem(t('entry.schedule.past'));
          else onSchedule(String(at));
        }}
      >
        <Text size="sm" mb="md">
          {t('entry.schedule.body')}
        </Text>
        <FieldProblems onChange={report}>
          <FieldInput
            path="schedule"
            name="schedule"
            definition={{
              type: 'datetime',
              label: t('entry.publishAt'),
              required: true,
            }}
            value={at}
            onChange={setAt}
            context={{ workspace, type: type.name, id, locale: '' }}
            errors={problem ? { schedule: problem } : NO_ERRORS}
          />
        </FieldProblems>
        <Group justify="flex-end" gap="xs" mt="lg">
          <Button variant="default" onClick={onClose}>
            {t('general.cancel')}
          </Button>
          <Button type="submit">{t('entry.schedule.action')}</Button>
        </Group>
      </form>
    </Modal>
  );
}
