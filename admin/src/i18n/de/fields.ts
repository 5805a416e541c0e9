import type en from '../en/fields';
import type { Translation } from '../message';

export default {} satisfies Translation<typeof en>;
