import type { TableTrProps } from '@mantine/core';
import type { ComponentType, ReactNode, Ref } from 'react';

/** A column of a table. */
export interface Column<Row> {
  key: string;
  label: string;
  render: (row: Row) => ReactNode;
  /** True if the server can sort by it, under this key. */
  sortable?: boolean;
  /** In pixels. */
  width?: number | undefined;
  align?: 'left' | 'right';
  /** Keeps the label for screen readers only: of actions, say. */
  quiet?: boolean;
  /** True for the heading of a row's card on a phone. */
  primary?: boolean;
}

/** The ways in which a row looks different. */
interface RowState {
  flash?: boolean;
  current?: boolean;
  muted?: boolean;
}

/** The properties of a table. */
export interface DataTableProps<Row> {
  /** The name of the table, for screen readers. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  /** `title` or `-title`. */
  sort?: string | undefined;
  onSort?: (sort: string) => void;
  selection?: {
    selected: ReadonlySet<string>;
    label: (row: Row) => string;
    onToggle: (row: Row, index: number, event: { shiftKey: boolean }) => void;
    onToggleAll: () => void;
  };
  /** Marks a row: one that was just changed by somebody else, or has the keyboard. */
  rowState?: (row: Row, index: number) => RowState;
  /** Lets columns be made wider and narrower; they keep to their widths then. */
  onResize?: (key: string, width: number) => void;
  /** Called when a cell is clicked twice. */
  onCellDoubleClick?: (row: Row, key: string) => void;
  /** The element that rows are drawn as, when they have to be more than rows: something that can be dragged, say. */
  rowAs?: RowElement | undefined;
  /** Shows so many empty rows in the place of those that are on their way. */
  loading?: number | undefined;
  /** True if other rows are on their way, while those from before still show. */
  busy?: boolean;
}

/** Measures a row that is one of many. */
export type Measure = (element: HTMLElement | null) => void;

/** The element that a row is drawn as. */
export type RowElement = ComponentType<TableTrProps & { 'data-row': string; ref?: Ref<HTMLTableRowElement> | undefined }>;
