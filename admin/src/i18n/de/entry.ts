import type en from '../en/entry';
import type { Translation } from '../message';

export default {} satisfies Translation<typeof en>;
