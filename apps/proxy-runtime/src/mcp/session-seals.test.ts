import { describe, expect, test } from '@jest/globals';
import { createEndpointPaths } from './endpoint-paths.ts';
import { createSessionSeals } from './session-seals.ts';

const holder = { proxyId: 7, keyId: 41 };
const strangers = [
  ['another key', { proxyId: 7, keyId: 42 }, 'foreign'],
  ['another proxy', { proxyId: 8, keyId: 41 }, 'unknown'],
] as const;

describe('the id of a session', () => {
  const seals = createSessionSeals('secret');

  test.each(['1', 'a.b.c', '!~"{}', '5f0c2b1e-9d53-4d36-8c3a-000000000000'])('%s comes back to its key', (id) => {
    const sealed = seals.seal(holder, id);
    expect(sealed).toMatch(/^[!-~]+$/);
    expect(seals.open(holder, sealed)).toEqual({ kind: 'own', value: id });
    expect(createSessionSeals('another').open(holder, sealed)).toEqual({ kind: 'unknown' });
  });

  test.each(strangers)('is no use to %s', (_who, stranger, kind) => {
    expect(seals.open(stranger, seals.seal(holder, 's'))).toMatchObject({ kind });
  });

  test.each(['', 's', '15.x.s', `15.${'A'.repeat(22)}.s`, `zzzzzzzzzzzz.${'A'.repeat(22)}.s`, '..'])(
    'cannot be made up as %j',
    (made) => expect(seals.open(holder, made)).toEqual({ kind: 'unknown' }),
  );
});

describe('the endpoint of a stream', () => {
  const paths = createEndpointPaths('secret');
  const endpoint = '/messages?session=1&x=ü%20';

  test('comes back to its key, and does not tell what it is', () => {
    const announced = paths.announce(holder, endpoint);
    expect(announced).not.toMatch(/messages|session/);
    expect(paths.announce(holder, endpoint)).not.toBe(announced);
    expect(paths.resolve(holder, announced)).toEqual({ kind: 'own', value: endpoint });
    expect(createEndpointPaths('another').resolve(holder, announced)).toEqual({ kind: 'unknown' });
  });

  test.each(strangers)('is no use to %s', (_who, stranger, kind) => {
    expect(paths.resolve(stranger, paths.announce(holder, endpoint))).toMatchObject({ kind });
  });

  test.each(['/.portcullis/endpoint/', '/.portcullis/endpoint/15.', '/.portcullis/endpoint/15.AAAA', '/messages'])(
    'cannot be made up as %s',
    (made) => expect(paths.resolve(holder, made)).toEqual({ kind: 'unknown' }),
  );
});

test('during a change of secrets what the one before sealed opens, for its holder, and the new one seals', () => {
  const [before, during, after] = [
    createSessionSeals('old'),
    createSessionSeals('new', 'old'),
    createSessionSeals('new'),
  ];
  const sealed = before.seal(holder, 's');
  expect(during.open(holder, sealed)).toEqual({ kind: 'own', value: 's' });
  expect(during.open({ proxyId: 7, keyId: 42 }, sealed)).toMatchObject({ kind: 'foreign' });
  expect(after.open(holder, during.seal(holder, 's'))).toEqual({ kind: 'own', value: 's' });

  const path = createEndpointPaths('old').announce(holder, '/messages');
  expect(createEndpointPaths('new', 'old').resolve(holder, path)).toEqual({ kind: 'own', value: '/messages' });
  expect(createEndpointPaths('new').resolve(holder, path)).toEqual({ kind: 'unknown' });
});
