import { Radio, Stack, Text } from '@mantine/core';
import { api, call } from '~/api/client';
import type { Token } from '~/api/schema';
import { t } from '~/i18n';
import { FormFooter, RecordForm } from '~/ui/RecordForm';
import { useRecordForm } from '~/ui/useRecordForm';
import type { Issued } from './IssuedToken';
import { refreshTokens } from './token';

/** The overlaps to choose from, in seconds. */
const OVERLAPS = ['3600', '86400', '604800', '0'] as const;

interface RotateTokenProps {
  token: Token;
  onIssued: (issued: Issued) => void;
  onClose: () => void;
}

/** Gives a token another secret. The old one works for a while, so that it can be replaced everywhere. */
export function RotateToken({ token, onIssued, onClose }: RotateTokenProps) {
  const form = useRecordForm({
    stored: { overlap_seconds: '86400' },
    allowUnchanged: true,
    save: async ({ overlap_seconds }) => {
      const body = { overlap_seconds: Number(overlap_seconds) };
      return (await call(api.POST('/admin/api/tokens/{id}/rotate', { params: { path: { id: token.id } }, body }))).data;
    },
    onSaved: ({ token: text, name, permissions }) => {
      onIssued({ token: text, name, permissions });
      return refreshTokens();
    },
  });
  return (
    <RecordForm form={form}>
      <Text size="sm">{t('tokens.rotateBody')}</Text>
      <Radio.Group label={t('tokens.rotateOverlap')} {...form.getInputProps('overlap_seconds')}>
        <Stack gap="xs" mt="xs">
          {OVERLAPS.map((it) => (
            <Radio key={it} value={it} label={t(`tokens.rotateOverlap.${it}`)} />
          ))}
        </Stack>
      </Radio.Group>
      <FormFooter form={form} submitLabel={t('tokens.rotate')} onClose={onClose} />
    </RecordForm>
  );
}
