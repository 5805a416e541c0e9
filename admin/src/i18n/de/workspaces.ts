import type en from '../en/workspaces';
import type { Translation } from '../message';

export default {} satisfies Translation<typeof en>;
