import { expect, jest, test } from '@jest/globals';
import type { Finding } from '@portcullis/core/policy/policy';
import { BlockedTexts } from './blocked-texts.ts';

const finding = { ruleName: 'Sesame', action: 'block' } as Finding;

/** What becomes of a request with these texts, and which of them were looked up and noted. */
function stop(texts: readonly string[], refused: ReadonlySet<string>, path: (at: number) => (string | number)[]) {
  const noted: string[] = [];
  const wasRefused = jest.fn((text: string) => refused.has(text));
  const conversation = {
    isReplaceable: () => true,
    wasRefused,
    rememberRefused: (unknown: readonly string[]) => void noted.push(...unknown),
  };
  const stopped = new BlockedTexts(() => conversation);
  for (const [at, text] of texts.entries())
    stopped.take({}, [{ place: { path: path(at), isKey: false }, text }], [finding]);
  const goesOn = stopped.replaceRefused();
  return { goesOn, notes: stopped.toReplace.size, noted, lookedUp: wasRefused.mock.calls.length };
}

const turnAt = (at: number) => ['messages', at, 'content'];
const distinct = Array.from({ length: 1_000 }, (_, index) => `open sesame ${index}`);

test('what was refused again and again in one request is looked up once', () => {
  const texts = Array.from({ length: 1_000 }, () => 'open sesame');
  expect(stop(texts, new Set(texts), turnAt)).toEqual({ goesOn: true, notes: 1_000, noted: [], lookedUp: 1 });
});

test('texts that are noted already leave their room to others, so that long conversations go on in the end', () => {
  const first = stop(distinct, new Set(), turnAt);
  expect(first).toMatchObject({ goesOn: false, notes: 0, lookedUp: first.noted.length });
  const second = stop(distinct, new Set(first.noted), turnAt);
  expect(second).toMatchObject({ goesOn: false, notes: 0 });
  expect(new Set([...first.noted, ...second.noted]).size).toBe(2 * first.noted.length);
});

test.each([['bytes'], ['data'], ['tool_use_id']])('no note can stand in %s', (field) => {
  expect(stop(['open sesame'], new Set(['open sesame']), (at) => ['messages', at, field])).toMatchObject({
    goesOn: false,
    notes: 0,
  });
});

test('what was stopped beside all texts is never taken for a text that was refused before', () => {
  expect(stop([], new Set(), turnAt)).toMatchObject({ goesOn: false });
});
