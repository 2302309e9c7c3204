import type { PatternDetector } from '../detector.ts';
import { isFiller, isRandom } from './randomness.ts';
import type { Checksum, TokenRow } from './token-row.ts';
import { endOfShape, partsOfShape, sourceOfShape } from './token-shape.ts';

/** The token begins as its vendor's do, and what follows was drawn by lot. */
const sure = 0.9;
/** Its checksum agrees. */
const certain = 0.99;
/** It has a checksum that does not agree: cut, mistyped, or made up by somebody. */
const doubtful = 0.6;

const startOfToken = '(?<![A-Za-z0-9])';

interface Kind {
  readonly whole: RegExp;
  /** Length of what all tokens of the kind begin with. */
  readonly lead: number;
  readonly checksum: Checksum | undefined;
}

/** Throws on a shape that begins with what differs from token to token: there would be nothing to look for. */
function kindOf({ vendor, shape, checksum }: TokenRow): Kind {
  const [first] = partsOfShape(shape);
  if (typeof first !== 'string') throw new Error(`tokens of ${vendor} must begin alike`);
  return { whole: new RegExp(`^${sourceOfShape(shape)}$`), lead: first.length, checksum };
}

/** Undefined for what is no token of the kind, or only fills the place of one. */
function confidenceOf(token: string, { whole, lead, checksum }: Kind): number | undefined {
  if (!whole.test(token) || isFiller(token.slice(lead))) return undefined;
  if (checksum === undefined) return sure;
  if (checksum(token)) return certain;
  return isRandom(token.slice(lead)) ? doubtful : undefined;
}

/** Makes the detector of a group of tokens. They share a pattern, so that a place is tried once for all of them. */
export function createTokenDetector(
  fields: Pick<PatternDetector, 'name' | 'type' | 'description'>,
  rows: readonly TokenRow[],
): PatternDetector {
  const kinds = rows.map(kindOf);
  const sources = rows.map(({ shape }) => sourceOfShape(shape) + endOfShape(shape));
  return {
    kind: 'pattern',
    ...fields,
    patterns: [`${startOfToken}(?:${sources.join('|')})`],
    validate(match) {
      let best: number | undefined;
      for (const kind of kinds) {
        const confidence = confidenceOf(match, kind);
        if (confidence !== undefined && confidence > (best ?? 0)) best = confidence;
      }
      return best;
    },
  };
}
