import type en from '../en/roles';
import type { Translation } from '../message';

export default {} satisfies Translation<typeof en>;
