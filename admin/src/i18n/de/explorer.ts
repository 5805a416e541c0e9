import type en from '../en/explorer';
import type { Translation } from '../message';

export default {} satisfies Translation<typeof en>;
