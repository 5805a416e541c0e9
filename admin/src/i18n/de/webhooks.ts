import type en from '../en/webhooks';
import type { Translation } from '../message';

export default {} satisfies Translation<typeof en>;
