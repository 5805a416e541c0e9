/** Links to addresses that people typed. */
import { isPath, withBase } from '~/base';
import { isAddress } from './checks';

/** The target of a link to an address; nothing for what names no place, or hides which one it is. */
export function hrefOf(address: string): string | undefined {
  if (!isAddress(address)) return undefined;
  // Paths of the site begin where the product is mounted.
  if (isPath(address)) return withBase(address);
  return /^[a-z]+:/i.test(address) || /^\/\/[^/\\]/.test(address) ? address : undefined;
}
