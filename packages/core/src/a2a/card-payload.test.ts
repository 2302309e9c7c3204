import { expect, test } from '@jest/globals';
import { currentCard } from './agent-cards.fixture.ts';
import { cardPayload, coveredMembers } from './card-payload.ts';
import { gatewayCard, rewriteCard } from './gateway-card.ts';
import { parseAgentCard } from './parse-agent-card.ts';

const card = {
  version: '',
  name: 'Größe',
  description: '',
  supportedInterfaces: [{ url: 'https://a.example', protocolBinding: 'JSONRPC', protocolVersion: '1.0', tenant: '' }],
  capabilities: { streaming: false, extensions: [{ uri: 'u', required: false, params: { empty: '' } }] },
  securitySchemes: { tls: { mtlsSecurityScheme: {} } },
  securityRequirements: [{ schemes: { tls: { list: [] } } }],
  defaultInputModes: [],
  skills: [],
  signatures: [{ protected: 'a', signature: 'b' }],
  invented: true,
};

test('every form writes a card down in its own way, without its signatures', () => {
  const interfaces = '[{"protocolBinding":"JSONRPC","protocolVersion":"1.0","url":"https://a.example"}]';
  expect(cardPayload(card, 'strict')).toBe(
    '{"capabilities":{"extensions":[{"params":{"empty":""},"uri":"u"}],"streaming":false},"defaultInputModes":[],' +
      `"description":"","name":"Größe","securityRequirements":[{"schemes":{"tls":{}}}],` +
      `"securitySchemes":{"tls":{"mtlsSecurityScheme":{}}},"skills":[],"supportedInterfaces":${interfaces},"version":""}`,
  );
  const clean =
    '{"capabilities":{"extensions":[{"uri":"u"}],"streaming":false},"name":"Größe",' +
    `"supportedInterfaces":${interfaces}}`;
  expect(cardPayload(card, 'clean')).toBe(clean);
  expect(cardPayload(card, 'ascii')).toBe(clean.replace('Größe', String.raw`Gr\u00f6\u00dfe`));
  expect(cardPayload(card, 'whole')).toContain('"invented":true');
  expect(cardPayload(card, 'whole')).not.toContain('signatures');
});

test('what A2A 1.0 does not know is covered by no form but the whole', () => {
  const injected = {
    ...currentCard,
    url: 'https://evil.example',
    preferredTransport: 'JSONRPC',
    security: [{ a: [] }],
  };
  for (const form of ['strict', 'clean', 'reparsed', 'ascii'] as const) {
    expect(coveredMembers(injected, form)).toEqual(coveredMembers(currentCard, form));
  }
  expect(coveredMembers(injected, 'whole')).toHaveProperty('url');
});

test('a card that the gateway serves names the gateway only', () => {
  const { value } = parseAgentCard({
    ...currentCard,
    documentationUrl: 'javascript:alert(1)',
    provider: { organization: 'Maps Ltd', url: 'file:///etc/passwd' },
  });
  if (value === undefined) throw new Error('no card');
  const provenance = { upstreamCardSha256: 'ab', signature: 'unsigned', fetchedAt: '2026-01-01T00:00:00Z' };
  const served = rewriteCard(value.card, 'https://gateway.example/a2a/v1/agents/7', provenance);
  const text = JSON.stringify(served);
  expect(text).not.toMatch(/agent\.example|id\.example|ext\.example|javascript:|file:/);
  expect(new Set(served.supportedInterfaces.map(({ url }) => url))).toEqual(
    new Set(['https://gateway.example/a2a/v1/agents/7']),
  );
  expect(served).toMatchObject({
    name: 'Router',
    iconUrl: 'https://maps.example/icon.png',
    capabilities: { streaming: true, extensions: [{ uri: 'urn:portcullis:a2a:provenance:v1', params: provenance }] },
    skills: [{ id: 'route', examples: ['From Bern to Basel'] }],
  });
  expect(served.skills[0]).not.toHaveProperty('securityRequirements');
  expect(parseAgentCard(served).value?.card).toEqual(served);
  const own = gatewayCard('Portcullis', '1.0.0', 'https://gateway.example/a2a/v1');
  expect(parseAgentCard(own).value?.card).toEqual(own);
});
