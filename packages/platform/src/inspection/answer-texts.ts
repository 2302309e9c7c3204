import type { JsonChanges } from '@portcullis/core/json/splice-json';
import type { Placeholders } from '@portcullis/core/policy/redaction/placeholders';
import type { LocatedFinding } from '../traffic/located-finding.ts';
import type { TextContext } from './text-context.ts';
import type { TextSource } from './text-source.ts';
import type { HiddenNumber } from './value-texts.ts';

/**
 * How a data plane hands over the texts of one answer and takes them back. An answer is a row of units: events of a
 * stream, or one whole body. Each brings its texts in `InspectedUnit.content`: pieces in channels, of which the end of one
 * and the beginning of the next are read together, texts that are complete in themselves, or a whole value. Where policies
 * want texts hidden, or placeholders of the request stand in them, the data plane writes the new texts into the unit.
 */
export interface AnswerTexts<Unit> {
  /** Takes what is found. */
  readonly findings: LocatedFinding[];
  /** Of the request; undefined where nothing was hidden in it. */
  readonly placeholders: Placeholders | undefined;
  /** What policies cannot read goes on, also where they enforce something. */
  readonly passesUnread: boolean;
  /** Bytes of a unit that wait when it is held. */
  sizeOf(unit: Unit): number;
  /** The texts of a whole value. */
  valueContext(value: unknown): TextContext;
  /** @param source who the texts are by; undefined: the side that answers */
  pieceContext(source?: TextSource): TextContext;
  /** The unit with other texts, all else in it as it came. @throws {NotRewritable} @throws {DuplicateKey} */
  rewrite(unit: Unit, changes: UnitChanges): Unit;
  /**
   * What leaves in the place of a unit that must not, where its stream can go on without it; at most one. Undefined, and
   * absent, where the answer ends there.
   */
  refuseUnit?(unit: Unit): readonly Unit[] | undefined;
  /** Told how long each step took; absent where that is not asked for. */
  readonly addTime?: ((ms: number) => void) | undefined;
}

/** What becomes of the texts of one unit, by their places. */
export interface UnitChanges {
  readonly changes: JsonChanges;
  /** Some text is hidden, so nothing beside it may tell it again. */
  readonly hides: boolean;
  /** Numbers that give way to texts. */
  readonly numbers: readonly HiddenNumber[];
}
