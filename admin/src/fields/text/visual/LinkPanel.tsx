import { ActionIcon, Box, Button, Group, TextInput, Tooltip } from '@mantine/core';
import { IconExternalLink, IconPencil, IconUnlink } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { withBase } from '~/base';
import { t } from '~/i18n';
import { COMMAND } from '~/ui/shortcuts';
import { formatReference, parseReference } from '../insert/links/entries';
import { shortAddress } from './AddressChip';
import classes from './visual.module.css';

interface LinkPanelProps {
  /** True if the link is being changed; otherwise the panel says where it leads. */
  form: boolean;
  readOnly: boolean;
  text: string;
  /** Nothing for a link that is still to be made. */
  address: string | undefined;
  onEdit: () => void;
  /** `back` leads the keyboard back to the text. */
  onApply: (text: string, address: string, back: boolean) => void;
  onRemove: () => void;
  onClose: (back: boolean) => void;
}

/** The link at the caret. */
export function LinkPanel(props: LinkPanelProps) {
  return props.form ? <LinkForm {...props} /> : <LinkCard {...props} />;
}

function LinkCard({ address = '', readOnly, onEdit, onRemove }: LinkPanelProps) {
  return (
    // The caret stays in the text.
    <div role="toolbar" tabIndex={-1} aria-label={t('fields.link.title')} className={classes.linkCard} onMouseDown={(event) => event.preventDefault()}>
      <Destination address={address} />
      {!readOnly && (
        <>
          <Tooltip label={`${t('fields.link.edit')} (${COMMAND} K)`}>
            <ActionIcon size="sm" tabIndex={-1} aria-label={t('fields.link.edit')} onClick={onEdit}>
              <IconPencil size={15} aria-hidden />
            </ActionIcon>
          </Tooltip>
          <Tooltip label={t('fields.link.remove')}>
            <ActionIcon size="sm" tabIndex={-1} aria-label={t('fields.link.remove')} onClick={onRemove}>
              <IconUnlink size={15} aria-hidden />
            </ActionIcon>
          </Tooltip>
        </>
      )}
    </div>
  );
}

/** The way to where a link leads, if the page may go there. */
function Destination({ address }: { address: string }) {
  const entry = parseReference(address);
  if (entry) {
    return (
      <Suspense>
        <EntryTarget entry={entry} />
      </Suspense>
    );
  }
  const href = openable(address);
  const label = shortAddress(address) || t('fields.link.nowhere');
  if (!href) return <span className={classes.linkAddress}>{label}</span>;
  return (
    <a className={classes.linkAddress} href={href} target="_blank" rel="noopener noreferrer" title={address} tabIndex={-1}>
      {label}
      <IconExternalLink size={14} aria-hidden />
    </a>
  );
}

/** The address as the page opens it; nothing for schemes that could run something. */
export function openable(address: string): string | undefined {
  if (/^(?:https?|mailto|tel):/i.test(address)) return address;
  return address.startsWith('/') && !address.startsWith('//') ? withBase(address) : undefined;
}

// What is about entries comes when a text has a link to one.
const EntryFinder = lazy(() => import('../insert/dialogs/EntryFinder'));
const EntryTarget = lazy(() => import('../insert/links/EntryTarget'));

function LinkForm({ text, address, onApply, onRemove, onClose }: LinkPanelProps) {
  const selected = /^(?:https?:\/\/|mailto:)\S+$/.test(text) ? text : undefined;
  const [words, setWords] = useState(address === undefined && selected ? '' : text);
  const [target, setTarget] = useState(address ?? selected ?? '');
  const apply = (back: boolean) => {
    const meant = completed(target.trim());
    if (meant === '') onClose(back);
    // Words that nobody changed stay as they are, to the last blank.
    else onApply(words === text ? text : words.trim(), meant, back);
  };
  const [finding, setFinding] = useState(false);
  const href = openable(target);
  return (
    <Box
      component="form"
      role="dialog"
      aria-label={t('fields.link.title')}
      className={classes.linkForm}
      onSubmit={(event: React.FormEvent) => {
        event.preventDefault();
        event.stopPropagation();
        apply(true);
      }}
      onKeyDown={(event: React.KeyboardEvent) => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        event.stopPropagation();
        onClose(true);
      }}
      onBlur={(event: React.FocusEvent) => {
        // Whoever clicks elsewhere means what was typed.
        if (event.relatedTarget instanceof Node && !event.currentTarget.contains(event.relatedTarget)) apply(false);
      }}
    >
      {finding && (
        <Suspense>
          <EntryFinder initial={words} onChoose={(entry) => onApply(words.trim() || entry.title, formatReference(entry), true)} />
        </Suspense>
      )}
      {!finding && (
        <>
          <TextInput data-autofocus autoFocus label={t('fields.link.address')} placeholder="https://" size="xs" value={target} onChange={(event) => setTarget(event.currentTarget.value)} />
          <TextInput label={t('fields.link.text')} size="xs" value={words} onChange={(event) => setWords(event.currentTarget.value)} />
        </>
      )}
      <Group gap="xs" justify="flex-end">
        {!finding && (
          <Button size="compact-xs" variant="subtle" color="gray" onClick={() => setFinding(true)}>
            {t('fields.insert.entry')}
          </Button>
        )}
        {address !== undefined && (
          <Button size="compact-xs" variant="subtle" color="red" onClick={onRemove} mr="auto">
            {t('fields.link.remove')}
          </Button>
        )}
        {href && (
          <Button component="a" href={href} target="_blank" rel="noopener noreferrer" size="compact-xs" variant="subtle" color="gray">
            {t('fields.link.open')}
          </Button>
        )}
        {!finding && (
          <Button size="compact-xs" type="submit">
            {t('fields.link.apply')}
          </Button>
        )}
      </Group>
    </Box>
  );
}

/** An address with the scheme that people leave off. */
export function completed(address: string): string {
  if (/^[\w.+-]+@[\w-]+\.[\w.]+$/.test(address)) return `mailto:${address}`;
  const host = /^(?:[\w-]+\.)+[a-z]{2,}(?=[/?#:]|$)/i.exec(address)?.[0];
  return host && !/\.(?:html?|md|pdf|txt|png|jpe?g|webp|svg|gif)$/i.test(host) ? `https://${address}` : address;
}
