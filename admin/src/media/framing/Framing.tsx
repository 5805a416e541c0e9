import { Button, Group, Input, NumberInput, SegmentedControl, Stack, Text } from '@mantine/core';
import { type CSSProperties, type KeyboardEvent, type PointerEvent, useId, useRef, useState } from 'react';
import type { MediaItem } from '~/api/schema';
import { formatNumber, t } from '~/i18n';
import { thumbSource } from '../MediaThumb';
import { saveFraming } from '../details';
import { areaBetween, areaOf, CENTRE, moveBy, type Area, type Point, pointAt, pointOf, WHOLE } from './framing';
import classes from './Framing.module.css';

/** The place names of an area's numbers, in their order. */
const SIDES = ['left', 'top', 'width', 'height'] as const;

interface FramingProps {
  workspace: string;
  item: MediaItem;
}

/** The part of a picture that stays in view: a point that is clicked, and a part that is drawn. */
export function Framing({ workspace, item }: FramingProps) {
  const [mode, setMode] = useState<'focus' | 'crop'>('focus');
  const label = useId();
  return (
    <Stack gap="xs">
      <div>
        <Input.Label labelElement="div" id={label}>
          {t('media.framing')}
        </Input.Label>
        <SegmentedControl
          fullWidth
          aria-labelledby={label}
          value={mode}
          onChange={(value) => setMode(value === 'crop' ? 'crop' : 'focus')}
          data={[
            { value: 'focus', label: t('media.focus') },
            { value: 'crop', label: t('media.crop') },
          ]}
        />
      </div>
      {mode === 'focus' ? <Focus workspace={workspace} item={item} /> : <Crop workspace={workspace} item={item} />}
    </Stack>
  );
}

/** The picture with a mark that is put where somebody clicks, or moved by arrow keys. */
function Focus({ workspace, item }: FramingProps) {
  const stored = pointOf(item.focus);
  const [moved, setMoved] = useState<Point>();
  const at = moved ?? stored ?? CENTRE;
  const save = (point: Point | undefined) => {
    setMoved(point);
    // Where it has been moved on in the meantime, it stays.
    void saveFraming(workspace, item, { focus: point ?? null }).finally(() => setMoved((now) => (now === point ? undefined : now)));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const next = moveBy(at, event.key, event.shiftKey ? 0.1 : 0.01);
    if (!next) return;
    event.preventDefault();
    setMoved(next);
  };
  const name = t('media.focusAt', { x: percent(at[0]), y: percent(at[1]) });
  return (
    <>
      <div className={classes.picture} data-mode="focus">
        <Picture item={item} />
        {/* Keys move the mark; a click anywhere on the picture needs no button of its own. */}
        {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions */}
        <div className={classes.surface} onClick={(event) => save(pointAt(event.clientX, event.clientY, event.currentTarget.getBoundingClientRect()))} />
        <button
          type="button"
          className={classes.mark}
          style={{ left: `${at[0] * 100}%`, top: `${at[1] * 100}%` }}
          aria-label={name}
          onKeyDown={onKeyDown}
          onKeyUp={() => moved && save(moved)}
        />
      </div>
      <HintAndReset hint={t('media.focusHint')} isSet={Boolean(stored)} onReset={() => save(undefined)} />
    </>
  );
}

/** The picture with a rectangle that is drawn over it, and its numbers for exact work. */
function Crop({ workspace, item }: FramingProps) {
  const stored = areaOf(item.crop);
  const begun = useRef<Point>(undefined);
  const [drawn, setDrawn] = useState<Area>();
  const area = drawn ?? stored ?? WHOLE;
  const save = (next: Area | undefined) => {
    setDrawn(next);
    // Another that is being drawn in the meantime stays.
    void saveFraming(workspace, item, { crop: next ?? null }).finally(() => setDrawn((now) => (now === next ? undefined : now)));
  };
  const placeOf = (event: PointerEvent) => pointAt(event.clientX, event.clientY, event.currentTarget.getBoundingClientRect());
  const onPointerDown = (event: PointerEvent) => {
    event.currentTarget.setPointerCapture(event.pointerId);
    begun.current = placeOf(event);
  };
  const onPointerMove = (event: PointerEvent) => begun.current && setDrawn(areaBetween(begun.current, placeOf(event)));
  const onPointerUp = () => {
    begun.current = undefined;
    if (drawn) save(drawn);
  };
  const change = (at: number, value: number | string) => {
    const numbers = [...area];
    numbers[at] = Math.min(Math.max(Number(value) / 100, 0), 1);
    const next = areaOf(numbers);
    if (next) save(next);
  };
  const edges = { '--x': area[0], '--y': area[1], '--w': area[2], '--h': area[3] } as CSSProperties;
  return (
    <>
      <div className={classes.picture} data-mode="crop">
        <Picture item={item} />
        <div className={classes.area} style={edges} aria-hidden />
        <div
          className={classes.surface}
          onPointerDown={onPointerDown}
          onPointerMove={onPointerMove}
          onPointerUp={onPointerUp}
          onPointerCancel={onPointerUp}
        />
      </div>
      <Group gap="xs" grow wrap="nowrap">
        {SIDES.map((side, at) => (
          <NumberInput
            key={`${side} ${area[at]}`}
            size="xs"
            label={t(`media.crop.${side}`)}
            suffix=" %"
            hideControls
            min={0}
            max={100}
            decimalScale={2}
            defaultValue={Math.round((area[at] ?? 0) * 10_000) / 100}
            onBlur={(event) => {
              const value = Number.parseFloat(event.currentTarget.value);
              if (Number.isFinite(value) && Math.abs(value / 100 - (area[at] ?? 0)) > 1e-4) change(at, value);
            }}
            onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
          />
        ))}
      </Group>
      <HintAndReset hint={t('media.cropHint')} isSet={Boolean(stored)} onReset={() => save(undefined)} />
    </>
  );
}

/** The help below a picture, and the button that takes back what was set. */
function HintAndReset({ hint, isSet, onReset }: { hint: string; isSet: boolean; onReset: () => void }) {
  return (
    <Group justify="space-between" gap="xs" wrap="nowrap">
      <Text size="xs" c="dimmed">
        {hint}
      </Text>
      {isSet && (
        <Button variant="default" size="compact-xs" flex="none" onClick={onReset}>
          {t('media.framingReset')}
        </Button>
      )}
    </Group>
  );
}

/** The picture, with its shape before it has loaded. */
function Picture({ item }: { item: MediaItem }) {
  return <img src={thumbSource(item)} width={item.width ?? undefined} height={item.height ?? undefined} alt="" draggable={false} />;
}

function percent(fraction: number): string {
  return formatNumber(Math.round(fraction * 100));
}
