import type { PatternDetector } from '../detector.ts';
import { americanNumbers } from './americas.ts';
import { otherNumbers } from './asia-pacific.ts';
import { europeanNumbers } from './europe.ts';
import { createNumberDetector } from './personal-number.ts';

/** Detectors of national numbers, each verified as its issuer defines it. */
export const personalDetectors: readonly PatternDetector[] = [
  ...europeanNumbers,
  ...americanNumbers,
  ...otherNumbers,
].map((number) => createNumberDetector(number));
