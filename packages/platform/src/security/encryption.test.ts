import { expect, test } from '@jest/globals';
import { createEncryption } from './encryption.ts';

const [oldKey, newKey] = ['o'.repeat(32), 'ab'.repeat(32)];
const before = createEncryption(oldKey);
const after = createEncryption(newKey);
const during = createEncryption(newKey, oldKey);

test('what was sealed opens in its own place with its own key only', () => {
  const sealed = before.encrypt('secret', 'place:1');
  expect(before.decrypt(sealed, 'place:1')).toBe('secret');
  expect(() => before.decrypt(sealed, 'place:2')).toThrow(/authenticate/);
  expect(() => after.decrypt(sealed, 'place:1')).toThrow(/authenticate/);
  expect(() => before.decrypt(`${sealed.slice(0, -2)}xx`, 'place:1')).toThrow(/authenticate/);
  expect(() => before.decrypt('secret', 'place:1')).toThrow('Not an encrypted value');
});

test('during a change of keys both open, and the new one seals', () => {
  const sealed = before.encrypt('secret', 'place:1');
  expect(during.decrypt(sealed, 'place:1')).toBe('secret');
  expect(() => during.decrypt(sealed, 'place:2')).toThrow(/authenticate/);
  expect(after.decrypt(during.encrypt('secret', 'place:1'), 'place:1')).toBe('secret');
  const renewed = during.renew(sealed, 'place:1') ?? '';
  expect(after.decrypt(renewed, 'place:1')).toBe('secret');
  expect(during.renew(renewed, 'place:1')).toBeUndefined();
});

test('a former context opens where it is named, and is given up when sealed anew', () => {
  const sealed = before.encrypt('secret', 'place');
  expect(() => before.decrypt(sealed, 'place:1')).toThrow(/authenticate/);
  expect(before.decrypt(sealed, 'place:1', 'place')).toBe('secret');
  const renewed = before.renew(sealed, 'place:1', 'place') ?? '';
  expect(before.decrypt(renewed, 'place:1')).toBe('secret');
  expect(() => before.decrypt(renewed, 'place:2', 'place')).toThrow(/authenticate/);
});
