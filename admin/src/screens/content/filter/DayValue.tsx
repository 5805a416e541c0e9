import '@mantine/dates/styles.css';
import { Day } from '~/fields/simple/Day';
import { t } from '~/i18n';

interface DayValueProps {
  value: string;
  /** True for moments: the server takes a day for all of it in UTC. */
  isMoment: boolean;
  onChange: (value: string) => void;
}

/** The day that entries are compared with. */
export function DayValue({ value, isMoment, onChange }: DayValueProps) {
  return (
    <Day
      label={t('content.value')}
      description={isMoment ? t('content.utcDays') : undefined}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      value={value.slice(0, 10) || null}
      onChange={(next) => onChange(next ?? '')}
      placeholder={t('fields.date.placeholder')}
      clearable
      popoverProps={{ withinPortal: false }}
    />
  );
}
