import { describe, expect, test } from '@jest/globals';
import { a2aLimits } from './a2a-limits.ts';
import { currentCard, legacyCard } from './agent-cards.fixture.ts';
import { parseAgentCard, parseAgentCardText } from './parse-agent-card.ts';
import { renderAgentCard, renderHybridCard, renderLegacyCard, renderSpecifiedCard } from './render-agent-card.ts';

const cardOf = (value: unknown) => {
  const { value: parsed, problems } = parseAgentCard(value);
  if (parsed === undefined) throw new Error(JSON.stringify(problems));
  return parsed;
};

const smallest = { name: 'A', supportedInterfaces: [{ url: 'https://a.example', protocolBinding: 'JSONRPC' }] };
const rulesOf = (value: unknown) => parseAgentCard(value).problems?.map(({ path, rule }) => `${path} ${rule}`);

test('cards of three generations are read into the same', () => {
  expect(cardOf(currentCard)).toEqual({ card: currentCard, writtenIn: '1.0' });
  expect(cardOf(legacyCard)).toEqual({ card: currentCard, writtenIn: '0.3' });
  const { protocolVersion: _, additionalInterfaces: __, preferredTransport: ___, ...oldest } = legacyCard;
  expect(cardOf(oldest)).toMatchObject({
    card: {
      supportedInterfaces: [{ url: legacyCard.url, protocolBinding: 'JSONRPC', protocolVersion: '0.2' }],
      securitySchemes: currentCard.securitySchemes,
    },
    writtenIn: '0.2',
  });
});

test('what is rendered for a generation is read as the same card again', () => {
  const { card } = cardOf(currentCard);
  const older = {
    ...card,
    supportedInterfaces: card.supportedInterfaces.map((one) => ({ ...one, protocolVersion: '0.2' })),
  };
  expect(cardOf(renderAgentCard(card))).toEqual({ card, writtenIn: '1.0' });
  expect(cardOf(renderLegacyCard(card, '0.3'))).toEqual({ card, writtenIn: '0.3' });
  expect(cardOf(renderLegacyCard(older, '0.2'))).toEqual({ card: older, writtenIn: '0.2' });
  expect(cardOf(renderHybridCard(card))).toEqual({ card, writtenIn: '1.0' });
  expect(cardOf(renderSpecifiedCard(card))).toEqual({ card, writtenIn: '1.0' });
});

test('a card of 0.3 names the interfaces of 0.3 only', () => {
  const { card } = cardOf({
    ...smallest,
    supportedInterfaces: [
      { url: 'https://a.example/new', protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
      { url: 'https://a.example/old', protocolBinding: 'JSONRPC', protocolVersion: '0.3' },
    ],
  });
  expect(renderLegacyCard(card, '0.3')).toMatchObject({ protocolVersion: '0.3.0', url: 'https://a.example/old' });
  expect(renderLegacyCard(card, '0.3')).not.toHaveProperty('additionalInterfaces');
});

test('snake case is for names of the protocol, never for names and data of the sender', () => {
  const rendered = renderSpecifiedCard(cardOf(currentCard).card);
  expect(rendered).toMatchObject({
    protocol_version: '0.3',
    supported_interfaces: [{ protocol_binding: 'JSONRPC', protocol_version: '0.3' }, {}],
    default_input_modes: ['text/plain', 'application/json'],
    capabilities: { extended_agent_card: true, extensions: [{ params: { camelCase: { snake_case: 1 } } }] },
    security_schemes: {
      my_key: { api_key_security_scheme: { location: 'header', name: 'X-Key' } },
      oauth: { oauth2_security_scheme: { flows: { authorization_code: { scopes: { read_maps: 'Reads maps' } } } } },
    },
    skills: [{ id: 'route', input_modes: ['text/plain'] }],
  });
  expect(JSON.stringify(Object.keys(rendered))).not.toMatch(/[A-Z]/);
});

describe('versions of interfaces', () => {
  test.each([
    ['a draft with the version at the top', { protocol_version: '1.0' }, {}, '1.0'],
    ['none', {}, {}, '1.0'],
    ['its own', { protocolVersion: '0.3.0' }, { protocolVersion: '1.0' }, '1.0'],
    ['a patch', {}, { protocolVersion: '1.0.1' }, '1.0'],
    ['one that is none', {}, { protocolVersion: 'next' }, 'next'],
  ])('%s', (_, top, own, expected) => {
    const [one] = smallest.supportedInterfaces;
    const { card } = cardOf({ ...top, ...smallest, supportedInterfaces: [{ ...one, ...own }] });
    expect(card.supportedInterfaces[0]?.protocolVersion).toBe(expected);
  });
});

test('only what a card cannot do without must be there', () => {
  expect(cardOf(smallest).card).toEqual({
    name: 'A',
    description: '',
    version: '',
    supportedInterfaces: [{ url: 'https://a.example', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
    capabilities: {},
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [],
  });
  expect(cardOf({ ...smallest, unheardOf: { name: 'B' }, provider: null }).card).toEqual(cardOf(smallest).card);
});

describe('what is wrong is told by its place', () => {
  test.each([
    ['x', ' must be an object'],
    [{}, '/supportedInterfaces must name at least one interface, or url must say where the agent is'],
    [{ ...smallest, name: '' }, '/name must be a text that is not empty'],
    [{ ...smallest, name: 7 }, '/name must be a text'],
    [{ ...smallest, name: 'x'.repeat(501) }, '/name must not be longer than 500 characters'],
    [{ ...smallest, skills: {} }, '/skills must be a list'],
    [{ ...smallest, skills: ['x'] }, '/skills/0 must be an object'],
    [{ ...smallest, skills: [{ name: 'x' }] }, '/skills/0/id must be a text that is not empty'],
    [
      { ...smallest, skills: [1, 2].map(() => ({ id: 'a', name: 'A' })) },
      '/skills must not have two skills with the id "a"',
    ],
    [{ ...smallest, skills: Array.from({ length: 257 }, () => ({})) }, '/skills must not have more than 256 members'],
    [{ ...smallest, defaultInputModes: [], default_input_modes: [] }, 'must not stand beside "defaultInputModes"'],
    [{ ...smallest, capabilities: { streaming: 'yes' } }, '/capabilities/streaming must be true or false'],
    [{ ...smallest, securitySchemes: { a: { type: 'magic' } } }, '/securitySchemes/a/type must be one of apiKey'],
    [
      { ...smallest, securitySchemes: { 'a/b': { mtlsSecurityScheme: {}, httpAuthSecurityScheme: {} } } },
      '/securitySchemes/a~1b must be of one kind only',
    ],
    [{ name: 'A', url: 'ftp://a.example' }, '/url must be an http or https URL'],
    [{ name: 'A', url: 'https://user:pass@a.example' }, '/url must not contain credentials'],
    [
      { ...smallest, supportedInterfaces: [{ url: 'agent', protocolBinding: 'http+json' }] },
      '/supportedInterfaces/0/url must be an http or https URL',
    ],
    [{ name: 'A', url: 'https://a.example', authentication: { schemes: ['Bearer'] } }, 'belongs to A2A 0.1'],
    [
      { ...smallest, capabilities: { extensions: [{ uri: 'u', params: nested(70) }] } },
      '/capabilities/extensions/0/params must not be nested deeper than 64 levels',
    ],
  ])('%j', (value, rule) => {
    expect(rulesOf(value)?.join('\n')).toContain(rule);
  });

  test('and no more often than helps', () => {
    expect(rulesOf({ ...smallest, skills: Array.from({ length: 200 }, () => 1) })).toHaveLength(a2aLimits.problems);
  });
});

function nested(depth: number): unknown {
  return depth === 0 ? 1 : { a: nested(depth - 1) };
}

test.each([
  ['{', 'must be JSON'],
  ['{"name":"A","name":"B","url":"https://a.example"}', 'The key "name" stands twice in one object'],
  [`{"name":"${'x'.repeat(a2aLimits.cardBytes)}"}`, 'must not be larger than 262144 bytes'],
  [`${'['.repeat(10_000)}${']'.repeat(10_000)}`, 'must be an object'],
])('the source of a card may be refused: %#', (source, rule) => {
  expect(parseAgentCardText(source).problems).toEqual([{ path: '', rule }]);
});

test('the source of a card is read as its value is', () => {
  expect(parseAgentCardText(JSON.stringify(legacyCard)).value).toEqual(cardOf(legacyCard));
});
