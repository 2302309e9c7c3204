// Reads texts: what one may hold, what it weighs by the tables of weights, and how much of it has been said before. It is one
// module, so that a text is written down once. What a table looks at is told in
// packages/core/src/policy/detectors/linear-classifier/features.ts.

export { mostUnits, mostWords, print, read, units } from './text/read';
export { folds } from './text/signs';
export { copied, mostWeighed } from './tables/text';
export { sums } from './tables/windows';
export { characterWeights, weighCharacters } from './tables/characters';
export { classHashes, classes, mayHaveClass } from './tables/word-classes';
export { works, workPairs, workPlaces, workTriples } from './tables/works';
export { readWords, weighWords, wordWeights } from './tables/words';
export { wordHashes } from './tables/word-hashes';
export { shareOfRepeats } from './tables/repeats';
