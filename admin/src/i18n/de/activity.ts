import type en from '../en/activity';
import type { Translation } from '../message';

export default {} satisfies Translation<typeof en>;
