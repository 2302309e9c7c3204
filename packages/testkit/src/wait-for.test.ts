import { expect, test } from '@jest/globals';
import { waitFor } from './wait-for.ts';

test('answers the first truthy value', async () => {
  const answers = [undefined, 0, 'there'];
  expect(await waitFor(() => answers.shift(), { what: 'an answer', intervalMs: 1 })).toBe('there');
});

test('takes a throw for not yet', async () => {
  let calls = 0;
  const condition = () => {
    calls += 1;
    if (calls < 3) throw new Error('connection refused');
    return calls;
  };
  expect(await waitFor(condition, { what: 'a connection', intervalMs: 1 })).toBe(3);
});

test.each([
  [() => false, 'Waited 5 ms for the moon; it last answered false'],
  [() => Promise.reject(new Error('no rocket')), 'Waited 5 ms for the moon; it last threw: Error: no rocket'],
])('fails with what was waited for', async (condition, message) => {
  await expect(waitFor(condition, { what: 'the moon', timeoutMs: 5, intervalMs: 1 })).rejects.toThrow(message);
});
