import { fold } from './fold.ts';

/** What is left of a name for the eye: letters of other alphabets that look like ours, marks, blanks and case make no difference. */
export const nameSkeleton = (name: string): string =>
  (fold(name)?.text ?? name)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '')
    .replaceAll('0', 'o')
    .replaceAll('1', 'l');
