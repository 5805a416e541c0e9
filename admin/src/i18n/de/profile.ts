import type en from '../en/profile';
import type { Translation } from '../message';

export default {} satisfies Translation<typeof en>;
