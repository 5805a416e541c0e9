import { Button, Drawer } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { IconKey, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import type { Token } from '~/api/schema';
import { useCan, usePreferences } from '~/api/session';
import { t } from '~/i18n';
import { Announce } from '~/ui/Announce';
import { EmptyState, NoPermission } from '~/ui/EmptyState';
import { ErrorState } from '~/ui/ErrorState';
import { Waiting } from '~/ui/Waiting';
import { useLetterShortcuts } from '~/ui/shortcuts';
import { PageHead } from '~/ui/PageHead';
import { EditToken } from './EditToken';
import { type Issued, IssuedToken } from './IssuedToken';
import { NewToken } from './NewToken';
import { RotateToken } from './RotateToken';
import { tokensQuery } from './token';
import { TokenTable } from './TokenTable';

/** The content of the drawer beside the list. */
type Shown = { making: true } | { issued: Issued } | { token: Token } | { rotating: Token } | undefined;

/** The API tokens of the installation. */
export default function Tokens() {
  const can = useCan();
  const { letterShortcuts = true } = usePreferences();
  const [shown, setShown] = useState<Shown>();
  const mayRead = can('tokens.read', 'tokens:*');
  const mayCreate = can('tokens.create', 'tokens:*');
  const answer = useQuery({ ...tokensQuery, enabled: mayRead });
  const create = () => setShown({ making: true });
  useLetterShortcuts({ c: create }, letterShortcuts && mayCreate);
  const button = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={create}>
      {t('tokens.create')}
    </Button>
  );
  return (
    <>
      <PageHead title={t('tokens.title')} description={t('tokens.description')} actions={mayCreate && button} />
      {!mayRead ? (
        <NoPermission action="tokens.read" />
      ) : answer.data ? (
        <>
          <Announce text={t('tokens.found', { count: answer.data.length })} />
          {answer.data.length > 0 ? (
            <TokenTable tokens={answer.data} onOpen={(token) => setShown({ token })} onRotate={(rotating) => setShown({ rotating })} />
          ) : (
            <EmptyState icon={IconKey} title={t('tokens.empty')} action={mayCreate && button}>
              {t('tokens.emptyHint')}
            </EmptyState>
          )}
        </>
      ) : answer.isError ? (
        <ErrorState error={answer.error} onRetry={answer.refetch} />
      ) : (
        <Waiting what={t('shell.tokens')} heights={[220]} />
      )}
      <TokenDrawer shown={shown} onShow={setShown} />
    </>
  );
}

function TokenDrawer({ shown, onShow }: { shown: Shown; onShow: (shown: Shown) => void }) {
  const close = () => onShow(undefined);
  // What is shown once is not to be lost by a click beside it.
  const once = shown !== undefined && 'issued' in shown;
  const rotating = shown && 'rotating' in shown ? shown.rotating : undefined;
  const title = once
    ? t('tokens.issued.title')
    : rotating
      ? t('tokens.rotateTitle', { name: rotating.name })
      : t(shown && 'token' in shown ? 'tokens.editTitle' : 'tokens.newTitle');
  return (
    <Drawer
      opened={shown !== undefined}
      onClose={close}
      closeOnClickOutside={!once}
      closeOnEscape={!once}
      withCloseButton={!once}
      size={640}
      title={title}
      closeButtonProps={{ 'aria-label': t('general.close') }}
    >
      {shown && 'making' in shown && <NewToken onIssued={(issued) => onShow({ issued })} onClose={close} />}
      {shown && 'issued' in shown && <IssuedToken issued={shown.issued} onDone={close} />}
      {rotating && <RotateToken token={rotating} onIssued={(issued) => onShow({ issued })} onClose={close} />}
      {shown && 'token' in shown && <EditToken token={shown.token} onClose={close} />}
    </Drawer>
  );
}
