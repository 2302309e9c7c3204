// Reads texts and tells what each may hold, see `text/read`.

export { mostUnits, mostWords, print, read, units } from './text/read';
export { folds } from './text/signs';
