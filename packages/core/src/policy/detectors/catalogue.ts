import type { Detector } from './detector.ts';
import { hiddenCharacters } from './hidden-characters.ts';
import { paymentCard } from './payment-card.ts';
import { repetition } from './repetition.ts';

/** Every detector that rules may name. */
const all: readonly Detector[] = [hiddenCharacters, paymentCard, repetition];

export const detectorCatalogue: ReadonlyMap<string, Detector> = new Map(
  all.map((detector) => [detector.name, detector]),
);
