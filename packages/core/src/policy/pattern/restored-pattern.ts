import type { AnalysedPattern, StoredAnalysis } from './analysed-pattern.ts';
import { parseRegex, toSyntax } from './parse-syntax.ts';
import type { Syntax } from './syntax.ts';

/** A pattern that was analysed elsewhere. Its syntax is read from the source when it is asked for. */
export class RestoredPattern implements AnalysedPattern {
  readonly source: string;
  readonly flags: string;
  readonly first: AnalysedPattern['first'];
  readonly startsWord: boolean;
  readonly maxLength: number;
  readonly bounded: boolean;
  readonly left: number;
  readonly right: number;
  readonly literals: AnalysedPattern['literals'];
  readonly openLead: AnalysedPattern['openLead'];
  readonly window: number;
  readonly weight: number;
  readonly engine: AnalysedPattern['engine'];
  #syntax: Syntax | undefined;

  constructor(stored: StoredAnalysis) {
    this.source = stored.source;
    this.flags = stored.flags;
    this.first = stored.first;
    this.startsWord = stored.startsWord;
    this.maxLength = stored.maxLength;
    this.bounded = stored.bounded;
    this.left = stored.left;
    this.right = stored.right;
    this.literals = stored.literals;
    this.openLead = stored.openLead;
    this.window = stored.window;
    this.weight = stored.weight;
    this.engine = stored.engine;
  }

  get syntax(): Syntax {
    return (this.#syntax ??= toSyntax(parseRegex(this.source, this.flags), this.flags));
  }
}
