import type { Language } from '../package/file-kind.ts';

/** Where a passage stands, and with it how much it says about what the skill does. */
export type Place =
  | 'script'
  | 'command'
  | 'instruction'
  | 'description'
  | 'hidden'
  | 'docstring'
  | 'comment'
  | 'reference'
  | 'test';

/** A passage that is judged as one: a statement, a command line, a paragraph or an item of a list. */
export interface Unit {
  readonly start: number;
  readonly end: number;
  readonly isCode: boolean;
  readonly place: Place;
  readonly language: Language;
  /** What stands around it says that this is what not to do, or what others do. */
  readonly isWarning: boolean;
}
