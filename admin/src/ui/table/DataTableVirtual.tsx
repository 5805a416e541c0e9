import { Table } from '@mantine/core';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import type { Measure } from './types';

interface VirtualProps {
  rows: readonly unknown[];
  renderRow: (index: number, measure: Measure) => ReactNode;
}

const ESTIMATE = 45;

/** The body of a table with many rows, of which those are drawn that are in sight. */
export default function DataTableVirtual({ rows, renderRow }: VirtualProps) {
  const body = useRef<HTMLTableSectionElement>(null);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    setTop((body.current?.getBoundingClientRect().top ?? 0) + window.scrollY);
  }, [rows]);
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => ESTIMATE,
    overscan: 12,
    scrollMargin: top,
    useFlushSync: false,
  });
  const shown = virtual.getVirtualItems();
  const before = (shown[0]?.start ?? top) - top;
  const after = virtual.getTotalSize() - ((shown.at(-1)?.end ?? top) - top);
  return (
    <Table.Tbody ref={body}>
      <Gap height={before} />
      {shown.map(({ index }) => renderRow(index, virtual.measureElement))}
      <Gap height={after} />
    </Table.Tbody>
  );
}

/** Stands for the rows that are out of sight. */
function Gap({ height }: { height: number }) {
  if (height <= 0) return null;
  return (
    <tr aria-hidden>
      <td style={{ height, padding: 0, border: 0 }}>{' '}</td>
    </tr>
  );
}
