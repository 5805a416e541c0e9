import type en from '../en/content';
import type { Translation } from '../message';

export default {} satisfies Translation<typeof en>;
