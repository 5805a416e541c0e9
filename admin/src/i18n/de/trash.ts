import type en from '../en/trash';
import type { Translation } from '../message';

export default {} satisfies Translation<typeof en>;
