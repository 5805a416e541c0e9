import { Button, Group, PasswordInput, Progress, Text } from '@mantine/core';
import { IconWand } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { t } from '~/i18n';
import { CopyButton } from '~/ui/CopyButton';
import type { InputBinding } from '~/ui/useRecordForm';
import { estimateStrength, generatePassword } from './password';

interface PasswordFieldProps extends InputBinding<string> {
  label: string;
  description?: string;
  required?: boolean;
  autoFocus?: boolean;
}

const COLOURS = ['red', 'red', 'amber', 'green', 'green'] as const;

/** A new password: typed or generated, to be seen on demand, with how strong it is. */
export function PasswordField({ label, description, value, onChange, error, required, autoFocus }: PasswordFieldProps) {
  const [visible, setVisible] = useState(false);
  const meter = useId();
  const level = estimateStrength(value);
  return (
    <div>
      <PasswordInput
        label={label}
        description={description}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        error={error}
        aria-invalid={error !== undefined}
        required={required ?? false}
        autoComplete="new-password"
        visible={visible}
        onVisibilityChange={setVisible}
        visibilityToggleButtonProps={{ 'aria-label': t('users.password.show'), tabIndex: 0 }}
        aria-describedby={value ? meter : undefined}
        data-autofocus={autoFocus || undefined}
      />
      {value && <Progress value={level === 0 ? 5 : level * 25} color={COLOURS[level]} size={4} mt={6} aria-hidden />}
      <Group justify="space-between" gap="xs" mt={4} mih={28}>
        <Text size="xs" c="dimmed" id={meter} aria-live="polite">
          {value && t('users.password.strength', { word: t(`users.password.strength.${level}`) })}
        </Text>
        <Group gap={4}>
          {visible && value && <CopyButton value={value} label={t('users.password.copy')} />}
          <Button
            variant="subtle"
            size="compact-sm"
            leftSection={<IconWand size={14} aria-hidden />}
            onClick={() => {
              onChange(generatePassword());
              setVisible(true);
            }}
          >
            {t('users.password.generate')}
          </Button>
        </Group>
      </Group>
    </div>
  );
}
