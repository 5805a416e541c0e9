/** The parts that the editor loads when somebody translates side by side. */
export { Translation } from './Translation';
export { TranslationHead } from './TranslationHead';
