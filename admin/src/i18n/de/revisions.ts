import type en from '../en/revisions';
import type { Translation } from '../message';

export default {} satisfies Translation<typeof en>;
