import { Menu } from '@mantine/core';
import { cloneElement, type ReactElement, type ReactNode, useRef, useState } from 'react';

export interface TargetProps {
  ref?: React.Ref<HTMLButtonElement>;
  onClick?: () => void;
  'aria-haspopup'?: 'menu' | 'listbox';
  'aria-expanded'?: boolean;
}

interface LazyMenuProps {
  /** The button that opens it. */
  target: ReactElement<TargetProps>;
  children: () => ReactNode;
  position?: 'bottom-start' | 'bottom' | 'bottom-end';
}

/** A menu that costs no more than its button until it is opened first: lists have hundreds of them. */
export function LazyMenu({ target, children, position = 'bottom-end' }: LazyMenuProps) {
  const [used, setUsed] = useState(false);
  const [opened, setOpened] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  if (!used) {
    return cloneElement(target, {
      'aria-haspopup': 'menu',
      'aria-expanded': false,
      onClick: () => {
        setUsed(true);
        setOpened(true);
      },
    });
  }
  return (
    // The button that had the focus is another one now, so the focus is brought back here.
    <Menu
      opened={opened}
      onChange={setOpened}
      onClose={() => button.current?.focus()}
      returnFocus={false}
      position={position}
      // A menu may hold items only: the first of them takes the focus.
      withInitialFocusPlaceholder={false}
    >
      <Menu.Target>{cloneElement(target, { ref: button })}</Menu.Target>
      <Menu.Dropdown>{children()}</Menu.Dropdown>
    </Menu>
  );
}
