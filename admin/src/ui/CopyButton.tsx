import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { t } from '~/i18n';

/** Puts a text on the clipboard, also where the page is not a secure context. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement('textarea');
    area.value = text;
    area.className = 'visually-hidden';
    document.body.append(area);
    area.select();
    const done = document.execCommand('copy');
    area.remove();
    return done;
  }
}

interface CopyButtonProps {
  value: string;
  /** The name of the button, which says what is copied. */
  label: string;
  /** Shows the label, not only the icon. */
  text?: boolean;
}

export function CopyButton({ value, label, text }: CopyButtonProps) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return undefined;
    const timer = setTimeout(() => setCopied(false), 1600);
    return () => clearTimeout(timer);
  }, [copied]);
  const icon = copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />;
  const onClick = async () => setCopied(await copyText(value));
  const said = copied ? t('general.copied') : label;
  return text ? (
    <Button variant="default" leftSection={icon} onClick={onClick}>
      {said}
    </Button>
  ) : (
    <Tooltip label={said}>
      <ActionIcon onClick={onClick} aria-label={said}>
        {icon}
      </ActionIcon>
    </Tooltip>
  );
}
