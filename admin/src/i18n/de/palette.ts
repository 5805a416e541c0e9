import type en from '../en/palette';
import type { Translation } from '../message';

export default {} satisfies Translation<typeof en>;
