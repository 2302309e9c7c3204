import { harmlessParts } from './corpus/harmless-parts.ts';
import { manyLanguages } from './corpus/many-languages.ts';
import { optimisedSuffixes } from './corpus/optimised-suffixes.ts';
import { plainOrderLookAlikes, plainOrders } from './corpus/plain-orders.ts';
import { plantedOrders } from './corpus/planted-orders.ts';
import { toolResultAttacks } from './corpus/tool-result-attacks.ts';
import { toolResultLookAlikes } from './corpus/tool-result-look-alikes.ts';
import { directTexts, personaTexts } from './corpus/user-texts.ts';
import type { Sample } from './sample.ts';

/** Texts put together by code from parts of our own, the same ones in every run, that tables may be trained with. */
export const trainingSamples = (): readonly Sample[] => [
  ...directTexts(),
  ...toolResultAttacks(),
  ...toolResultLookAlikes(),
  ...plantedOrders(),
  ...plainOrders(),
  ...plainOrderLookAlikes(),
  ...harmlessParts(),
  ...personaTexts(),
  ...manyLanguages(),
  ...optimisedSuffixes(),
];
