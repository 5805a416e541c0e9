import type en from '../en/problems';
import type { Translation } from '../message';

export default {} satisfies Translation<typeof en>;
