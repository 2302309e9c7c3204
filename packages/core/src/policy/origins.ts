import { textOrigins, type TextOrigin } from '@portcullis/contracts/policy-file';

/** A set of origins, a bit for each. A text is read by the rules whose set has one in common with its own. */
export type OriginSet = number;

const bits = new Map<TextOrigin, OriginSet>(textOrigins.map((origin, index) => [origin, 1 << index]));

export const originSet = (...origins: readonly TextOrigin[]): OriginSet =>
  origins.reduce((set, origin) => set | (bits.get(origin) ?? 0), 0);

export const allOrigins: OriginSet = originSet(...textOrigins);
