import { expect, test } from '@jest/globals';
import { ConversationCanaries } from './conversation-canaries.ts';

test('draws lots once for a conversation, and keeps its token', () => {
  const drawn = [0.1, 0.9, 0.1];
  const canaries = new ConversationCanaries(10, () => drawn.shift() ?? 1);
  const first = canaries.find('a', 0.5);
  expect(first).toEqual({ token: expect.stringMatching(/^[0-9a-z]{8}$/), isRecorded: false });
  expect(canaries.find('b', 0.5)).toBeUndefined();
  expect(canaries.find('a', 0.5)).toBe(first);
  expect(canaries.find('b', 0.5)).toBeUndefined();
  expect(canaries.find('c', 0.5)?.token).not.toBe(first?.token);
});

test('forgets the conversation that was not met for longest', () => {
  const canaries = new ConversationCanaries(2);
  const [first, second] = [canaries.find('a', 1), canaries.find('b', 1)];
  canaries.find('a', 1);
  canaries.find('c', 1);
  expect(canaries.find('a', 1)).toBe(first);
  expect(canaries.find('b', 1)?.token).not.toBe(second?.token);
});
