import { Button, Group, PasswordInput, Progress, Text } from '@mantine/core';
import { IconWand } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { t } from '~/i18n';
import { CopyButton } from '~/ui/CopyButton';
import { generatePassword, strength } from './password';

interface PasswordFieldProps {
  label: string;
  description?: string;
  value: string;
  onChange: (value: string) => void;
  error?: string | undefined;
  required?: boolean;
  autoFocus?: boolean;
}

const COLOURS = ['red', 'red', 'amber', 'green', 'green'] as const;

/** A new password: typed or generated, to be seen on demand, with how strong it is. */
export function PasswordField({ label, description, value, onChange, error, required, autoFocus }: PasswordFieldProps) {
  const [visible, setVisible] = useState(false);
  const meter = useId();
  const level = strength(value);
  return (
    <div>
      <Group align="flex-end" gap="xs" wrap="nowrap">
        <PasswordInput
          flex={1}
          label={label}
          description={description}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
          error={error}
          required={required ?? false}
          autoComplete="new-password"
          visible={visible}
          onVisibilityChange={setVisible}
          visibilityToggleButtonProps={{ 'aria-label': t('users.password.show'), tabIndex: 0 }}
          aria-describedby={value ? meter : undefined}
          data-autofocus={autoFocus || undefined}
          inputWrapperOrder={['label', 'description', 'error', 'input']}
        />
        <Button
          variant="default"
          leftSection={<IconWand size={16} aria-hidden />}
          onClick={() => {
            onChange(generatePassword());
            setVisible(true);
          }}
        >
          {t('users.password.generate')}
        </Button>
        {visible && value && <CopyButton value={value} label={label} />}
      </Group>
      {value && (
        <div id={meter} aria-live="polite">
          <Progress value={level === 0 ? 5 : level * 25} color={COLOURS[level]} size={4} mt={6} aria-hidden />
          <Text size="xs" c="dimmed" mt={2}>
            {t('users.password.strength', { word: t(`users.password.strength.${level}`) })}
          </Text>
        </div>
      )}
    </div>
  );
}
