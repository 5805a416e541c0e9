import { labelled, t } from '~/i18n';
import classes from './visual.module.css';

interface AddressChipProps {
  address: string;
  onEdit: () => void;
}

/** The address of a link in the text: short, and a way to change it. */
export function AddressChip({ address, onEdit }: AddressChipProps) {
  const shown = shortAddress(address) || '…';
  return (
    <button
      type="button"
      tabIndex={-1}
      className={classes.address}
      title={address}
      aria-label={labelled(t('fields.link.edit'), shown)}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onEdit}
    >
      {shown}
    </button>
  );
}

/** An address as people say it: without scheme, and with its end left off. */
export function shortAddress(address: string): string {
  const short = address.replace(/^(?:https?:\/\/(?:www\.)?|mailto:|tel:)/, '').replace(/\/$/, '');
  return short.length > 28 ? `${short.slice(0, 27)}…` : short;
}
