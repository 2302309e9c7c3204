import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { createCanaryToken, findCanaries, renderCanary } from './canary-token.ts';
import { CanaryWatch } from './canary-watch.ts';
import { classifyObservation, type CanaryPlace } from './classify-observation.ts';

const token = fc
  .infiniteStream(fc.nat())
  .map((numbers) => createCanaryToken((limit) => (numbers.next().value as number) % limit));

describe('a canary token', () => {
  test('is found in prose and in structured data, and nowhere else', () => {
    expect(findCanaries('As (ref:abcd1234) says, {"_gw":"zzzz0000"}')).toEqual(['abcd1234', 'zzzz0000']);
    expect(findCanaries('(ref:ABCD1234) (ref:abc) ref:abcd1234 "_gw": 12345678 see (ref: chapter 4)')).toEqual([]);
  });

  test('is found again however an answer is cut, once', () => {
    const cuts = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 });
    fc.assert(
      fc.property(token, fc.string(), fc.string(), cuts, (secret, before, after, sizes) => {
        const text = `${before}${renderCanary(secret)}${after}${renderCanary(secret)}`;
        const watch = new CanaryWatch();
        for (let at = 0, turn = 0; at < text.length; turn += 1) {
          const size = sizes[turn % sizes.length] ?? 1;
          watch.push('a', text.slice(at, at + size));
          watch.push('b', 'other text');
          at += size;
        }
        return watch.tokens.length === 1 && watch.tokens[0] === secret;
      }),
    );
  });

  test('is reported within bounds', () => {
    const watch = new CanaryWatch();
    for (let index = 0; index < 100; index += 1) watch.read(renderCanary(String(index).padStart(8, '0')));
    expect(watch.tokens).toHaveLength(20);
  });
});

describe('a sighting', () => {
  const planted: CanaryPlace = { principal: 'key:1', session: 'a', atMs: 0 };
  const day = 86_400_000;

  test.each<[Partial<CanaryPlace>, string]>([
    [{}, 'echo'],
    [{ atMs: 30 * day }, 'echo'],
    [{ session: 'b' }, 'cross_session'],
    [{ session: 'b', atMs: 8 * day }, 'stale'],
    [{ principal: 'key:2' }, 'cross_user'],
    [{ principal: 'key:2', session: 'b', atMs: 7 * day }, 'cross_user'],
    [{ principal: 'key:2', session: 'b', atMs: 8 * day }, 'memorization'],
  ])('at %j is %s', (seen, leak) => {
    expect(classifyObservation(planted, { ...planted, ...seen })).toBe(leak);
  });
});
