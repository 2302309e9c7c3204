/* What a command line is made of, as far as it matters for what it runs. */

export type Part =
  | { readonly kind: 'text'; readonly text: string; readonly quoted: boolean; readonly escaped: boolean }
  /** What stands in `${…}`, or a name. */
  | { readonly kind: 'variable'; readonly expression: string; readonly quoted: boolean }
  /** What stands in double quotes with something that is worked out. */
  | { readonly kind: 'quoted'; readonly parts: readonly Part[] }
  /** `$(…)` and its older spelling. */
  | { readonly kind: 'command'; readonly list: List; readonly quoted: boolean }
  /** `<(…)` and `>(…)`. */
  | { readonly kind: 'process'; readonly direction: '<' | '>'; readonly list: List };

export interface Word {
  readonly parts: readonly Part[];
}

export interface Redirect {
  /** Without the number of a descriptor; the word of `<<` is the text that follows. */
  readonly operator: string;
  /** The number in front of it; empty without one. */
  readonly descriptor: string;
  readonly word: Word;
}

export interface Command {
  readonly words: readonly Word[];
  readonly redirects: readonly Redirect[];
  /** What stands in braces, in parentheses, in a loop or a branch, or in a function. */
  readonly group?: List | undefined;
  /** The words that a loop goes over, behind its variable. */
  readonly head?: readonly Word[] | undefined;
  /** Of a function. */
  readonly defines?: string | undefined;
  readonly start: number;
  readonly end: number;
}

/** Commands of which each reads what the one before it writes. */
export type Pipeline = readonly Command[];
export type List = readonly Pipeline[];

/** The text of a word that has nothing to be worked out. */
export function plainText({ parts }: Word): string | undefined {
  let text = '';
  for (const part of parts) {
    if (part.kind !== 'text') return undefined;
    text += part.text;
  }
  return text;
}
