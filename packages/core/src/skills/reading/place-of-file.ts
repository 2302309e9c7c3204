import type { Place } from './unit.ts';

const testPath =
  /(?:^|\/)(?:tests?|__tests__|specs?|fixtures?|mocks?|testdata|evals?)(?:\/|$)|[._-](?:test|spec)\.\w+$|(?:^|\/)test_[^/]+$/i;
const referencePath =
  /(?:^|\/)(?:references?|docs?|examples?|samples?|assets|templates?|resources|rules|workflows?|guides?|knowledge)(?:\/|$)|(?:^|\/)(?:readme|changelog|contributing|license|security|faq|troubleshooting)[^/]*$/i;

/** Where the passages of a file stand, as far as its path tells. */
export function placeOfFile(path: string, isCode: boolean): Place {
  if (testPath.test(path)) return 'test';
  if (!isCode && referencePath.test(path)) return 'reference';
  // A second document beside SKILL.md is read on demand, and one in a folder of commands or agents is an instruction.
  if (
    !isCode &&
    !/(?:^|\/)(?:skill|claude|agents|heartbeat)\.md$/i.test(path) &&
    path.includes('/') &&
    !/(?:^|\/)(?:commands|agents|skills|hooks)\//i.test(path)
  )
    return 'reference';
  return isCode ? 'script' : 'instruction';
}
