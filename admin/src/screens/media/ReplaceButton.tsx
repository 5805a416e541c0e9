import { Button, FileButton, Progress, Text } from '@mantine/core';
import { IconReplace } from '@tabler/icons-react';
import type { MediaItem } from '~/api/schema';
import { t } from '~/i18n';
import classes from './Media.module.css';
import { acceptedReplacements, type Replacement } from '~/media/replacement';

interface ReplaceButtonProps {
  item: MediaItem;
  replacement: Replacement;
  /** True if a file is being held over the panel. */
  over: boolean;
}

/** Chooses a file whose bytes take the place of those of this one. */
export function ReplaceButton({ item, replacement, over }: ReplaceButtonProps) {
  const { replace, isSending, percent } = replacement;
  return (
    <div className={classes.replace}>
      <FileButton accept={acceptedReplacements(item)} onChange={(file) => file && replace([file])}>
        {(props) => (
          <Button
            variant="default"
            size="xs"
            leftSection={<IconReplace size={15} aria-hidden />}
            loading={isSending}
            {...props}
          >
            {t('media.replace')}
          </Button>
        )}
      </FileButton>
      {isSending ? (
        <Progress value={percent} size="xs" mt={6} aria-label={t('media.upload.progress', { name: item.filename })} />
      ) : (
        <Text size="xs" {...(over ? { fw: 600 } : { c: 'dimmed' })}>
          {over ? t('media.replace.drop', { name: item.filename }) : t('media.replaceHint')}
        </Text>
      )}
    </div>
  );
}
