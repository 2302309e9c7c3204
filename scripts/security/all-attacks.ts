import type { Attack } from './attack.ts';
import { absurdFigures } from './attacks/absurd-figures.ts';
import { floods } from './attacks/floods.ts';
import { foldedKeys } from './attacks/folded-keys.ts';
import { heavyPatterns } from './attacks/heavy-patterns.ts';
import { longNames } from './attacks/long-names.ts';

/** Floods come last: what they leave behind must not be taken for the work of another attack. */
export const allAttacks: readonly Attack[] = [
  ...heavyPatterns,
  ...longNames,
  ...foldedKeys,
  ...absurdFigures,
  ...floods,
];
