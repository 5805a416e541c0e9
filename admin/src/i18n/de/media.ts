import type en from '../en/media';
import type { Translation } from '../message';

export default {} satisfies Translation<typeof en>;
