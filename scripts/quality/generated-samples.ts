import { directAttacks } from './generated/direct-attacks.ts';
import { directEveryday } from './generated/direct-everyday.ts';
import { directLookAlikes } from './generated/direct-look-alikes.ts';
import { directTechniques } from './generated/direct-techniques.ts';
import { harmlessParts } from './generated/harmless-parts.ts';
import { optimisedSuffixes } from './generated/optimised-suffixes.ts';
import { personalSentences } from './generated/personal-sentences.ts';
import { plantedOrders } from './generated/planted-orders.ts';
import { toolResultAttacks } from './generated/tool-result-attacks.ts';
import { toolResultLookAlikes } from './generated/tool-result-look-alikes.ts';
import type { Sample } from './sample.ts';

/** Texts put together by code from parts of our own, the same ones in every run, that tables may be trained with. */
export const trainingSamples = (): readonly Sample[] => [
  ...directAttacks(),
  ...directTechniques(),
  ...directLookAlikes(),
  ...directEveryday(),
  ...toolResultAttacks(),
  ...toolResultLookAlikes(),
  ...plantedOrders(),
  ...harmlessParts(),
  ...optimisedSuffixes(),
];

export const generatedSamples = (): readonly Sample[] => [...trainingSamples(), ...personalSentences()];
