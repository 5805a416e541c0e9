/** The operators of a filter, as docs/API.md "Filters" lists them. */
export const OPERATORS = ['eq', 'ne', 'in', 'nin', 'gt', 'gte', 'lt', 'lte', 'contains', 'starts', 'empty'] as const;
export type Operator = (typeof OPERATORS)[number];

/** Checks whether an operator takes several values. */
export function takesMany(operator: Operator): boolean {
  return operator === 'in' || operator === 'nin';
}
