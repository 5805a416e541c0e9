import { Button, Group, Modal, Radio, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { ValueDiff } from '~/diff/ValueDiff';
import { labelled, t } from '~/i18n';
import { useReturnFocus } from '~/ui/return-focus';
import { useEditing } from '../context';
import classes from '../Editor.module.css';
import { changedSlots, placeOf, threeWayMerge, type Values } from '../form/form';
import { definitionOf, labelOf } from '../form/labels';
import { canKeepBoth, joinTexts } from './keep-both';

type Side = 'mine' | 'theirs';
/** Of long texts both can be kept. */
type Choice = Side | 'both';

/** Two versions of the entry that somebody has to make one of. */
export interface Review {
  title: string;
  explanation: string;
  /** The common base of both. */
  base: Values;
  mine: Values;
  theirs: Values;
  names: Record<Side, string>;
  /** Shows every difference for a choice, not only where both sides changed the same. */
  everything?: boolean;
  /** The button that goes on with what was chosen. */
  action: string;
  onDecide: (values: Values) => void;
  onSaveAsCopy?: (() => void) | undefined;
}

/** Shows where two versions differ, and lets somebody choose for each field. */
export function ReviewDialog({ review, onClose }: { review: Review; onClose: () => void }) {
  useReturnFocus();
  const { base, mine, theirs, names } = review;
  const merged = threeWayMerge(base, mine, theirs);
  const open = review.everything ? changedSlots(theirs, mine) : merged.conflicts;
  const [chosen, setChosen] = useState<Readonly<Record<string, Choice>>>(() => {
    // Where one side alone changed something, that is what is meant unless somebody says otherwise.
    const clear = open.filter((slot) => !merged.conflicts.includes(slot));
    return Object.fromEntries(clear.map((slot) => [slot, merged.taken.includes(slot) ? 'theirs' : 'mine']));
  });
  const undecided = open.filter((slot) => !chosen[slot]).length;
  const all = (side: Side) => setChosen(Object.fromEntries(open.map((slot) => [slot, side])));
  const decide = () => {
    const pick = (slot: string) =>
      chosen[slot] === 'both' ? joinTexts(theirs[slot], mine[slot]) : (chosen[slot] === 'mine' ? mine : theirs)[slot];
    const picked = open.map((slot) => [slot, pick(slot)]);
    review.onDecide({ ...merged.values, ...Object.fromEntries(picked) });
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={review.title}
      size="62rem"
      closeButtonProps={{ 'aria-label': t('general.close') }}
    >
      <Text size="sm" mb="sm">
        {review.explanation}
      </Text>
      {open.length > 1 && (
        <Group gap="xs" mb="xs">
          <Button size="compact-sm" variant="default" onClick={() => all('theirs')}>
            {t('entry.review.all', { side: names.theirs })}
          </Button>
          <Button size="compact-sm" variant="default" onClick={() => all('mine')}>
            {t('entry.review.all', { side: names.mine })}
          </Button>
        </Group>
      )}
      {open.map((slot) => (
        <Decision
          key={slot}
          slot={slot}
          review={review}
          conflict={merged.conflicts.includes(slot)}
          chosen={chosen[slot]}
          onChoose={(choice) => setChosen({ ...chosen, [slot]: choice })}
        />
      ))}
      {!review.everything && <Merged slots={merged.taken} review={review} />}
      <div className={classes.footer}>
        <Group gap="xs">
          {review.onSaveAsCopy && (
            <Button variant="default" onClick={review.onSaveAsCopy}>
              {t('entry.review.copy')}
            </Button>
          )}
        </Group>
        <Group gap="xs">
          <Button variant="default" onClick={onClose}>
            {t('general.cancel')}
          </Button>
          <Button onClick={decide} disabled={undecided > 0}>
            {undecided > 0 ? t('entry.review.undecided', { count: undecided }) : review.action}
          </Button>
        </Group>
      </div>
    </Modal>
  );
}

interface DecisionProps {
  slot: string;
  review: Review;
  /** True if both sides changed it. */
  conflict: boolean;
  chosen: Choice | undefined;
  onChoose: (choice: Choice) => void;
}

/** One field, as each side would have it. */
function Decision({ slot, review, conflict, chosen, onChoose }: DecisionProps) {
  const { type } = useEditing();
  const label = labelOf(type, slot);
  const both = conflict && canKeepBoth(definitionOf(type, slot), review.theirs[slot], review.mine[slot]);
  return (
    <Radio.Group
      className={classes.decision}
      label={
        <Title order={3} size="h4" mb="xs">
          {label}
        </Title>
      }
      value={chosen ?? null}
      onChange={(choice) => onChoose(choice as Choice)}
    >
      <div className={classes.sides}>
        {(['mine', 'theirs'] as const).map((side) => (
          <div key={side} className={classes.side} data-chosen={chosen === side || undefined}>
            <Radio value={side} label={review.names[side]} aria-label={labelled(label, review.names[side])} />
            <div className={classes.value}>
              <Difference slot={slot} before={review.base[slot]} after={review[side][slot]} />
            </div>
          </div>
        ))}
      </div>
      {both && (
        <Radio
          value="both"
          mt="sm"
          label={t('entry.review.both')}
          aria-label={labelled(label, t('entry.review.both'))}
          description={t('entry.review.bothHint')}
        />
      )}
    </Radio.Group>
  );
}

function Difference({ slot, before, after }: { slot: string; before: unknown; after: unknown }) {
  const { workspace, type, id } = useEditing();
  const context = { workspace, type: type.name, id, locale: placeOf(slot).locale || type.root_locale };
  return <ValueDiff definition={definitionOf(type, slot)} before={before} after={after} context={context} />;
}

/** The changes of the other side alone: they are taken over, and shown. */
function Merged({ slots, review }: { slots: readonly string[]; review: Review }) {
  const { type } = useEditing();
  if (slots.length === 0) return null;
  return (
    <section className={classes.decision}>
      <Title order={3} size="h4" mb="xs">
        {t('entry.review.merged')}
      </Title>
      {slots.map((slot) => (
        <div key={slot}>
          <Text size="sm" fw={550}>
            {labelOf(type, slot)}
          </Text>
          <div className={classes.value}>
            <Difference slot={slot} before={review.base[slot]} after={review.theirs[slot]} />
          </div>
        </div>
      ))}
    </section>
  );
}
