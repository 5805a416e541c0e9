import type en from '../en/tokens';
import type { Translation } from '../message';

export default {} satisfies Translation<typeof en>;
