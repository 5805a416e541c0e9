/** The lasting ids of blocks, as the server makes them: the time first, then what nobody can guess. */

const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz';
const LENGTH = 16;

/**
 * Makes an id for a new block. A block has its id before it is saved, so that it stays the same block
 * through undo and redo, and when the saved entry comes back.
 */
export function newBlockId(now = Date.now()): string {
  const [random = 0] = crypto.getRandomValues(new Uint32Array(1));
  let rest = (BigInt(now) << 32n) | BigInt(random);
  let id = '';
  for (let place = 0; place < LENGTH; place += 1) {
    id = DIGITS.charAt(Number(rest & 31n)) + id;
    rest >>= 5n;
  }
  return id;
}
