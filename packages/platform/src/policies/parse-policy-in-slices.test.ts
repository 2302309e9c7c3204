import { setImmediate } from 'node:timers';
import { expect, test } from '@jest/globals';
import { parsePolicyInSlices } from './parse-policy-in-slices.ts';

const document = {
  name: 'many rules',
  rules: Array.from({ length: 400 }, (_, index) => ({
    id: `r${index}`,
    patterns: [{ regex: `\\b(?:word${index}|name${index})[ _-]{0,3}[a-z]{3,${index + 4}}`, flags: 'i' }],
  })),
};

test('others have their turns while a policy of many rules is read', async () => {
  const turns = { count: 0, goOn: true };
  const turn = (): void => {
    turns.count += 1;
    if (turns.goOn) setImmediate(turn);
  };
  setImmediate(turn);
  const { policy } = await parsePolicyInSlices(document);
  turns.goOn = false;
  expect(policy?.rules).toHaveLength(400);
  expect(turns.count).toBeGreaterThan(2);
});

test('what is no policy is told as it is anywhere', async () => {
  expect((await parsePolicyInSlices('no policy')).problems).toHaveLength(1);
  expect((await parsePolicyInSlices({ name: 'a', rules: 1 })).problems).not.toEqual([]);
});
