import { type ComponentType, createContext } from 'react';
import type { FieldInputProps } from './types';

/**
 * Tells the inputs that contain other fields by which component to show those: `FieldInput`. They
 * cannot import it, because it imports them.
 */
export const NestedInputProvider = createContext<ComponentType<FieldInputProps>>(() => null);

/** An input of any kind within another input. */
export function NestedInput(props: FieldInputProps) {
  return <NestedInputProvider.Consumer>{(Input) => <Input {...props} />}</NestedInputProvider.Consumer>;
}
