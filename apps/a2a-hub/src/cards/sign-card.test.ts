import { expect, jest, test } from '@jest/globals';
import { AgentCard as KitCard, canonicalizeAgentCard, verifyAgentCardSignature } from '@a2a-js/sdk';
import { cardPayload } from '@portcullis/core/a2a/card-payload';
import { gatewayCard, rewriteCard } from '@portcullis/core/a2a/gateway-card';
import { renderAgentCard } from '@portcullis/core/a2a/render-agent-card';
import { exportJWK, generateKeyPair, importJWK } from 'jose';
import { readAgentCard } from '@portcullis/platform/agents/read-agent-card';
import { createCardSigner } from './sign-card.ts';

const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
const key = { kid: 'ours', key: privateKey };
const endpoint = 'https://gateway.example/a2a/v1/agents/1';

const readOrThrow = (card: object) => {
  const { read, problems } = readAgentCard(card);
  if (read === undefined) throw new Error(JSON.stringify(problems));
  return read.card;
};
const served = (change: object = {}) =>
  renderAgentCard(
    rewriteCard(
      readOrThrow({ name: 'Maps', url: 'https://agent.example', skills: [{ id: 'a', name: 'A' }], ...change }),
      endpoint,
      { upstreamCardSha256: 'ab', signature: 'unsigned', fetchedAt: '2026-01-01T00:00:00Z' },
    ),
  );

test.each([
  ['of few words', served()],
  ['with texts in other scripts', served({ name: 'Größe 地図 🗺', description: 'Plant Wege' })],
  ['of the gateway itself', renderAgentCard(gatewayCard('Portcullis', '0.1.0', 'https://gateway.example/a2a/v1'))],
])('the official kit takes our signature of a card %s, and finds a change of it', async (_, card) => {
  const debug = jest.spyOn(console, 'debug').mockImplementation(() => undefined);
  const signed = await createCardSigner()(card, key);
  const verify = verifyAgentCardSignature(async (kid) => {
    expect(kid).toBe('ours');
    return importJWK(await exportJWK(publicKey), 'ES256') as Promise<typeof publicKey>;
  });
  const parsed = KitCard.fromJSON(signed);
  await verify(parsed);
  await expect(verify({ ...parsed, description: 'Another' })).rejects.toThrow('No valid signatures');
  debug.mockRestore();
});

test('we write a card down as the official kit does, which loses security schemes of what it has parsed', () => {
  const card = served({ provider: { organization: 'Maps', url: '' }, version: '1.0.0' });
  expect(cardPayload(card, 'reparsed')).toBe(canonicalizeAgentCard(KitCard.fromJSON(card)));
  expect(cardPayload(card, 'clean')).toBe(canonicalizeAgentCard(card as unknown as KitCard));
});

test('a card that was signed before is the same again', async () => {
  const sign = createCardSigner();
  expect(await sign(served(), key)).toEqual(await sign(served(), key));
  expect(await sign(served(), { ...key, kid: 'another' })).not.toEqual(await sign(served(), key));
});
