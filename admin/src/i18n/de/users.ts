import type en from '../en/users';
import type { Translation } from '../message';

export default {} satisfies Translation<typeof en>;
