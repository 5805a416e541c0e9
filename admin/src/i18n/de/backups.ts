import type en from '../en/backups';
import type { Translation } from '../message';

export default {} satisfies Translation<typeof en>;
