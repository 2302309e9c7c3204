// Weighs texts by the tables of weights, and tells how much of a text has been said before. What a table looks at is told in
// packages/core/src/policy/detectors/statistics/features.ts.

export { mostWeighed, units } from './tables/text';
export { sums } from './tables/windows';
export { characterWeights, weighCharacters } from './tables/characters';
export { classHashes, classes, mayHaveClass } from './tables/word-classes';
export { works, workPairs, workPlaces, workTriples } from './tables/works';
export { readWords, weighWords, wordWeights } from './tables/words';
export { wordHashes } from './tables/word-hashes';
export { repeatUnits } from './tables/spaced-words';
export { shareOfRepeats } from './tables/repeats';
