import { Group, Text } from '@mantine/core';

/** The mark and the name. */
export function Wordmark() {
  return (
    <Group gap={8} wrap="nowrap">
      <svg width="22" height="22" viewBox="0 0 32 32" aria-hidden="true">
        <rect width="32" height="32" rx="7" fill="var(--mantine-primary-color-filled)" />
        <path
          d="M9 7.5h9.2c3.6 0 5.8 2 5.8 5.2 0 2.4-1.3 4.1-3.5 4.8L24.3 24.5h-4.1l-3.4-6.5h-4.1v6.5H9zm3.7 3.1v4.5h5c1.6 0 2.5-.8 2.5-2.2s-.9-2.3-2.5-2.3z"
          fill="#fff"
        />
      </svg>
      <Text fw={700} span>
        Recto
      </Text>
    </Group>
  );
}
