import type en from '../en/auth';
import type { Translation } from '../message';

export default {} satisfies Translation<typeof en>;
