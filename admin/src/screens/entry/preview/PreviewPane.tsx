import { ActionIcon, Alert, Button, CloseButton, Group, Modal, SegmentedControl, Select, Text, Tooltip, VisuallyHidden } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconDeviceDesktop, IconDeviceMobile, IconExternalLink, IconRefresh } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { isApiError } from '~/api/error';
import { originOf } from '~/api/preview-targets';
import type { PreviewTarget } from '~/api/schema';
import { t } from '~/i18n';
import { CopyButton } from '~/ui/CopyButton';
import { ErrorState } from '~/ui/ErrorState';
import { useEditing } from '../context';
import { PREVIEW_BUTTON } from './PreviewButton';
import classes from './preview.module.css';
import { useLive } from './useLive';
import { useOpenTarget, usePreviewAddress, usePreviewTargets } from './usePreview';

/** The width below which the form and the preview do not fit beside each other. */
const NARROW = '(max-width: 75em)';

/** The preview of the entry in a site: beside the form, or in its place where there is no room. */
export function PreviewPane() {
  const { show, focus } = useEditing();
  const target = useOpenTarget();
  const narrow = useMediaQuery(NARROW, window.matchMedia(NARROW).matches);
  if (!target) return null;
  const close = () => {
    show({ preview: undefined });
    requestAnimationFrame(() => document.getElementById(PREVIEW_BUTTON)?.focus());
  };
  const edit = (path: string) => {
    if (narrow) show({ preview: undefined });
    focus(path);
  };
  const preview = <Preview key={target.label} target={target} onClose={close} onEdit={edit} />;
  if (!narrow) {
    return (
      <section className={classes.pane} data-preview aria-label={t('preview.title')}>
        {preview}
      </section>
    );
  }
  return (
    <Modal.Root opened onClose={close} fullScreen returnFocus={false} transitionProps={{ duration: 0 }}>
      <Modal.Content aria-label={t('preview.title')} className={classes.dialog}>
        {preview}
      </Modal.Content>
    </Modal.Root>
  );
}

interface PreviewProps {
  target: PreviewTarget;
  onClose: () => void;
  onEdit: (path: string) => void;
}

function Preview({ target, onClose, onEdit }: PreviewProps) {
  const { show } = useEditing();
  const { address, origin, error, isFetching, renew } = usePreviewAddress(target);
  const frame = useRef<HTMLIFrameElement>(null);
  const [width, setWidth] = useState('full');
  const [turn, setTurn] = useState(0);
  // Another address is another page, and so is the same one that is loaded anew.
  const page = `${address} ${turn}`;
  const { mode, refusal } = useLive(frame, { page, origin, onEdit });
  const blocked = useBlocked(origin);
  const targets = usePreviewTargets();
  return (
    <>
      <Group className={classes.bar} gap="xs" wrap="nowrap">
        {targets.length > 1 ? (
          <Select
            aria-label={t('preview.target')}
            data={targets.map((it) => it.label)}
            value={target.label}
            onChange={(label) => label && show({ preview: label })}
            allowDeselect={false}
            className={classes.target}
          />
        ) : (
          <Text fw={600} truncate className={classes.target}>
            {target.label}
          </Text>
        )}
        <SegmentedControl
          aria-label={t('preview.width')}
          value={width}
          onChange={setWidth}
          size="xs"
          visibleFrom="sm"
          data={[
            { value: 'full', label: <WidthLabel icon={<IconDeviceDesktop size={16} aria-hidden />} text={t('preview.wide')} /> },
            { value: 'phone', label: <WidthLabel icon={<IconDeviceMobile size={16} aria-hidden />} text={t('preview.phone')} /> },
          ]}
        />
        <Tooltip label={t('preview.reload')}>
          <ActionIcon onClick={() => setTurn(turn + 1)} aria-label={t('preview.reload')}>
            <IconRefresh size={16} aria-hidden />
          </ActionIcon>
        </Tooltip>
        {address && <CopyButton value={address} label={t('preview.copy')} />}
        {address && (
          <Tooltip label={t('preview.window')}>
            <ActionIcon component="a" href={address} target="_blank" rel="noopener noreferrer" aria-label={t('preview.window')}>
              <IconExternalLink size={16} aria-hidden />
            </ActionIcon>
          </Tooltip>
        )}
        <CloseButton onClick={onClose} aria-label={t('preview.close')} />
      </Group>
      <Text component="p" size="xs" c="dimmed" role="status" className={classes.state}>
        {stateText(mode, refusal)}
      </Text>
      {blocked && (
        <Alert color="amber" mb="xs" title={t('preview.blocked')}>
          <Button size="compact-sm" variant="default" onClick={() => location.reload()}>
            {t('preview.reloadPage')}
          </Button>
        </Alert>
      )}
      {error && !isFetching && <ErrorState error={error} onRetry={renew} />}
      {address && (
        <div className={classes.stage} data-width={width}>
          <iframe
            key={page}
            ref={frame}
            src={address}
            title={t('preview.frame', { target: target.label })}
            className={classes.frame}
            referrerPolicy="no-referrer"
            // It can do what a site does, but not lead this page elsewhere. A site on the origin of the
            // interface could undo that; it is trusted like the interface itself.
            // oxlint-disable-next-line react/iframe-missing-sandbox
            sandbox="allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox allow-downloads"
          />
        </div>
      )}
    </>
  );
}

function WidthLabel({ icon, text }: { icon: React.ReactNode; text: string }) {
  return (
    <span className={classes.width}>
      {icon}
      <VisuallyHidden>{text}</VisuallyHidden>
    </span>
  );
}

function stateText(mode: 'live' | 'reload' | undefined, refusal: unknown): string {
  if (mode === undefined) return t('preview.savedOnly');
  if (mode === 'reload') return t('preview.reloads');
  if (refusal === undefined) return t('preview.live');
  return isApiError(refusal) && refusal.status === 422 ? t('preview.invalid') : t('preview.refused');
}

/** Hears that the policy of this page, which is as old as the page, does not allow the site yet. */
function useBlocked(origin: string | undefined): boolean {
  const [blocked, setBlocked] = useState<string>();
  useEffect(() => {
    const hear = (event: SecurityPolicyViolationEvent) => {
      if (event.effectiveDirective === 'frame-src') setBlocked(originOf(event.blockedURI));
    };
    document.addEventListener('securitypolicyviolation', hear);
    return () => document.removeEventListener('securitypolicyviolation', hear);
  }, []);
  return origin !== undefined && blocked === origin;
}
