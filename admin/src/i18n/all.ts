/** For tests: `t` knows all texts from the beginning. */
import { loadTexts } from './index';

await loadTexts(['first', 'writing', 'later']);
