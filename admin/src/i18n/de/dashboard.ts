import type en from '../en/dashboard';
import type { Translation } from '../message';

export default {} satisfies Translation<typeof en>;
