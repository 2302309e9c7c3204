import { expect, test } from '@jest/globals';
import { createEncryption } from '@portcullis/platform/security/encryption';
import { addsOrigins } from '@portcullis/platform/agents/called-card';
import { readAgentCard } from '@portcullis/platform/agents/read-agent-card';
import { openTargetAuth, sealTargetAuth } from './target-auth.ts';

const encryption = createEncryption('e'.repeat(32));
const cardAt = (...urls: readonly string[]) => {
  const supportedInterfaces = urls.map((url) => ({ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }));
  const { read } = readAgentCard({ name: 'Maps', supportedInterfaces });
  if (read === undefined) throw new Error('no card');
  return read.card;
};
const card = cardAt('https://agent.example/rpc', 'https://agent.example:8443/rpc');
const nowhere = { base_url: null, card_url: null, target_url: null };

test('credentials go to the servers that they were given for, and nowhere else', () => {
  const row = { id: 7, target_auth: sealTargetAuth({ id: 7, card, ...nowhere }, { value: 'key' }, encryption) };
  expect(openTargetAuth(row, 'https://agent.example/other', encryption)).toEqual({ authorization: 'Bearer key' });
  expect(openTargetAuth(row, 'https://agent.example:8443/rpc', encryption)).toEqual({ authorization: 'Bearer key' });
  for (const url of ['http://agent.example/rpc', 'https://agent.example:444/', 'https://agent.example.evil.example/']) {
    expect(openTargetAuth(row, url, encryption)).toEqual({});
  }
  expect(() => openTargetAuth({ ...row, id: 8 }, 'https://agent.example/rpc', encryption)).toThrow(/authenticate/);
  expect(openTargetAuth({ id: 7, target_auth: null }, 'https://agent.example/rpc', encryption)).toEqual({});
});

test('a header that is named has the value as it is', () => {
  const sealed = sealTargetAuth({ id: 7, card, ...nowhere }, { header: 'X-Agent-Key', value: 'key' }, encryption);
  const opened = openTargetAuth({ id: 7, target_auth: sealed }, 'https://agent.example/rpc', encryption);
  expect(opened).toEqual({ 'x-agent-key': 'key' });
});

test('where an admin says what is called and where the card is, these have the credentials, and no server of the card', () => {
  const place = { ...nowhere, base_url: 'https://maps.example', target_url: 'https://called.example/rpc' };
  const at = (row: Parameters<typeof sealTargetAuth>[0]) => {
    const sealed = { id: row.id, target_auth: sealTargetAuth(row, { value: 'key' }, encryption) };
    return ['agent', 'maps', 'called', 'cards'].filter(
      (name) => 'authorization' in openTargetAuth(sealed, `https://${name}.example/`, encryption),
    );
  };
  expect(at({ id: 7, card, ...place })).toEqual(['maps', 'called']);
  expect(at({ id: 7, card, ...place, card_url: 'https://cards.example/7' })).toEqual(['called', 'cards']);
});

test.each([
  [['https://agent.example/elsewhere'], false],
  [['https://agent.example:8443/'], false],
  [['http://agent.example/rpc'], true],
  [['https://agent.example/rpc', 'https://other.example'], true],
])('a card with %j leads elsewhere: %s', (urls, expected) => {
  expect(addsOrigins(card, cardAt(...urls))).toBe(expected);
});
