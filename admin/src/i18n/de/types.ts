import type en from '../en/types';
import type { Translation } from '../message';

export default {} satisfies Translation<typeof en>;
