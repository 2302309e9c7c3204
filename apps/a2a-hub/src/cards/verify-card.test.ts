import { beforeAll, describe, expect, test } from '@jest/globals';
import { AgentCard as KitCard, generateAgentCardSignature } from '@a2a-js/sdk';
import type { TrustedKey } from '@portcullis/contracts/routes/agents';
import { cardPayload, type CardPayloadForm } from '@portcullis/core/a2a/card-payload';
import { exportJWK, FlattenedSign, generateKeyPair, type CryptoKey } from 'jose';
import { readAgentCard } from '@portcullis/platform/agents/read-agent-card';
import { verifyCard } from '@portcullis/platform/agents/verify-card';

const card = {
  name: 'Größe',
  description: 'Plans ways',
  supportedInterfaces: [{ url: 'https://agent.example/rpc', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
  version: '1.0.0',
  capabilities: { streaming: true },
  securitySchemes: { key: { apiKeySecurityScheme: { location: 'header', name: 'X-Key' } } },
  securityRequirements: [{ schemes: { key: { list: [] } } }],
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [{ id: 'route', name: 'Route', description: 'Plans a way', tags: ['maps'] }],
};

let privateKey: CryptoKey;
let trusted: TrustedKey;
beforeAll(async () => {
  const pair = await generateKeyPair('ES256', { extractable: true });
  ({ privateKey } = pair);
  trusted = { ...((await exportJWK(pair.publicKey)) as TrustedKey), kid: 'theirs' };
});

const sign = async (payload: string, key: CryptoKey | Uint8Array = privateKey, header: object = {}) => {
  const signed = await new FlattenedSign(new TextEncoder().encode(payload))
    .setProtectedHeader({ alg: 'ES256', kid: 'theirs', typ: 'JOSE', ...header })
    .sign(key);
  return { protected: signed.protected ?? '', signature: signed.signature };
};
const signedAs = async (form: CardPayloadForm, value: object = card) => ({
  ...value,
  signatures: [await sign(cardPayload({ ...value }, form))],
});
const verify = (value: object, keys: readonly TrustedKey[] = [trusted]) => {
  const { read, problems } = readAgentCard(value);
  if (read === undefined) throw new Error(JSON.stringify(problems));
  return verifyCard(read.card, read.source, keys);
};
const statusOf = async (...given: Parameters<typeof verify>) => (await verify(...given)).check.status;

test.each(['whole', 'strict', 'clean', 'reparsed', 'ascii'] as const)('a card signed as %s', async (form) => {
  const { check } = await verify(await signedAs(form));
  expect(check).toEqual({ status: 'verified', algorithm: 'ES256', key_id: 'theirs', form: expect.any(String) });
});

test('a card that the official kit signed', async () => {
  const signer = generateAgentCardSignature(privateKey, { alg: 'ES256', kid: 'theirs', typ: 'JOSE' });
  const written = KitCard.toJSON(await signer(KitCard.fromJSON(card))) as object;
  const { check, card: used } = await verify(written);
  expect(check).toMatchObject({ status: 'verified', form: 'reparsed' });
  // The kit does not sign the security schemes of a card that it has parsed.
  expect(used).not.toHaveProperty('securitySchemes');
});

test('a card of 0.3, which is signed as it stands', async () => {
  const legacy = { protocolVersion: '0.3.0', name: 'Maps', url: 'https://agent.example', skills: [] };
  expect((await verify(await signedAs('whole', legacy))).check).toMatchObject({ status: 'verified', form: 'whole' });
  const moved = { ...(await signedAs('whole', legacy)), url: 'https://evil.example' };
  expect(await statusOf(moved)).toBe('invalid');
});

describe('does not trust', () => {
  test('a card that was changed after it was signed', async () => {
    const signed = await signedAs('strict');
    expect(await statusOf({ ...signed, description: 'Plans thefts' })).toBe('invalid');
    expect(
      await statusOf({
        ...signed,
        supportedInterfaces: [{ ...card.supportedInterfaces[0], url: 'https://evil.example' }],
      }),
    ).toBe('invalid');
  });

  test('members that the signature does not cover', async () => {
    const { supportedInterfaces: _, ...rest } = card;
    const injected = {
      ...(await signedAs('strict')),
      url: 'https://evil.example',
      preferredTransport: 'JSONRPC',
      additionalInterfaces: [{ url: 'https://evil.example', transport: 'JSONRPC' }],
      security: [{ none: [] }],
      supportsAuthenticatedExtendedCard: true,
    };
    const { check, card: used } = await verify(injected);
    expect(check).toMatchObject({ status: 'verified', form: 'strict' });
    expect(JSON.stringify(used)).not.toContain('evil');
    expect(used).toMatchObject({ ...rest, capabilities: { streaming: true } });
    expect(used.capabilities).not.toHaveProperty('extendedAgentCard');
  });

  test('no signature, and no key', async () => {
    expect(await statusOf(card)).toBe('unsigned');
    expect(await statusOf(await signedAs('strict'), [])).toBe('untrusted');
  });

  test('keys and headers that the signer chose', async () => {
    const other = await generateKeyPair('ES256', { extractable: true });
    const jwk = (await exportJWK(other.publicKey)) as TrustedKey;
    const payload = cardPayload(card, 'strict');
    const withSignature = (signature: object) => ({ ...card, signatures: [signature] });
    const header = { jku: 'https://evil.example/jwks.json', jwk };
    expect(await statusOf(withSignature(await sign(payload, other.privateKey, header)))).toBe('invalid');
    expect(await statusOf(withSignature(await sign(payload, privateKey, { kid: 'another' })))).toBe('invalid');
    const secret = new TextEncoder().encode(JSON.stringify(trusted).padEnd(32, 'x'));
    expect(await statusOf(withSignature(await sign(payload, secret, { alg: 'HS256' })))).toBe('invalid');
    const none = Buffer.from(JSON.stringify({ alg: 'none', kid: 'theirs' })).toString('base64url');
    for (const protectedHeader of [none, 'not base64', '']) {
      const forged = { protected: protectedHeader || '-', signature: 'AA' };
      expect(await statusOf(withSignature(forged))).toBe('invalid');
    }
  });
});
