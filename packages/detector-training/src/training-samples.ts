import { directAttacks } from './corpus/direct-attacks.ts';
import { directEveryday } from './corpus/direct-everyday.ts';
import { directLookAlikes } from './corpus/direct-look-alikes.ts';
import { directSideways, sidewaysLookAlikes } from './corpus/direct-sideways.ts';
import { directTechniques } from './corpus/direct-techniques.ts';
import { harmlessParts } from './corpus/harmless-parts.ts';
import { longPersonas, partsToPlay, textsAbove } from './corpus/long-personas.ts';
import { manyLanguages } from './corpus/many-languages.ts';
import { optimisedSuffixes } from './corpus/optimised-suffixes.ts';
import { plainOrderLookAlikes, plainOrders } from './corpus/plain-orders.ts';
import { plantedOrders } from './corpus/planted-orders.ts';
import { toolResultAttacks } from './corpus/tool-result-attacks.ts';
import { toolResultLookAlikes } from './corpus/tool-result-look-alikes.ts';
import type { Sample } from './sample.ts';

/** Texts put together by code from parts of our own, the same ones in every run, that tables may be trained with. */
export const trainingSamples = (): readonly Sample[] => [
  ...directAttacks(),
  ...directTechniques(),
  ...directSideways(),
  ...directLookAlikes(),
  ...sidewaysLookAlikes(),
  ...directEveryday(),
  ...toolResultAttacks(),
  ...toolResultLookAlikes(),
  ...plantedOrders(),
  ...plainOrders(),
  ...plainOrderLookAlikes(),
  ...harmlessParts(),
  ...longPersonas(),
  ...partsToPlay(),
  ...textsAbove(),
  ...manyLanguages(),
  ...optimisedSuffixes(),
];
