import type en from '../en/settings';
import type { Translation } from '../message';

export default {} satisfies Translation<typeof en>;
