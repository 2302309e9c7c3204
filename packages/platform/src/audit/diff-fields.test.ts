import { expect, test } from '@jest/globals';
import { diffFields } from './diff-fields.ts';

test('tells only what differs, by the path of the field', () => {
  expect(
    diffFields(
      { name: 'a', port: 1, tags: ['x'], settings: { deep: { on: true, same: 1 } }, updated_at: new Date(1) },
      { name: 'a', port: 2, tags: ['x', 'y'], settings: { deep: { on: false, same: 1 } }, updated_at: new Date(2) },
    ),
  ).toEqual({
    port: { from: 1, to: 2 },
    tags: { from: ['x'], to: ['x', 'y'] },
    'settings.deep.on': { from: true, to: false },
  });
  expect(diffFields({ a: 1 }, { a: 1 })).toBeNull();
  expect(diffFields(undefined, { a: null })).toEqual({ a: { to: null } });
  expect(diffFields({ a: 1 }, undefined)).toEqual({ a: { from: 1 } });
});

test('tells of a secret only whether it was set', () => {
  const before = { chat: { webhook_url: 'https://hooks/secret' }, smtp: { host: 'a', code: '' }, target_auth: null };
  const after = { chat: { webhook_url: 'https://hooks/other' }, smtp: { host: 'b', code: '0000' }, target_auth: 'sk' };
  const changes = diffFields(before, after, ['code']);
  expect(changes).toEqual({
    'chat.webhook_url': { from: '[redacted]', to: '[redacted]' },
    'smtp.host': { from: 'a', to: 'b' },
    'smtp.code': { from: '', to: '[redacted]' },
    target_auth: { from: null, to: '[redacted]' },
  });
  const nested = { token: { value: 'abc', header: 'x' }, list: [{ password: 'hunter2' }], has_target_auth: true };
  expect(JSON.stringify(diffFields(undefined, nested))).not.toMatch(/abc|hunter2/);
  expect(diffFields(undefined, nested)).toHaveProperty('has_target_auth', { to: true });
});

test('stays small, for any values', () => {
  const many = Object.fromEntries(Array.from({ length: 80 }, (_, index) => [`f${index}`, index]));
  const changes = diffFields(undefined, { ...many, long: 'x'.repeat(5_000) });
  expect(Object.keys(changes ?? {})).toHaveLength(51);
  expect(changes).toHaveProperty(['…'], { to: '31 more fields' });
  expect(diffFields({ text: '' }, { text: 'x'.repeat(5_000) })?.['text']?.to).toMatch(/^x{300}… \(5000 characters\)$/);
  let deep: object = { end: 1 };
  for (let level = 0; level < 100; level += 1) deep = { deep };
  expect(JSON.stringify(diffFields(undefined, deep)).length).toBeLessThan(1_000);
});
