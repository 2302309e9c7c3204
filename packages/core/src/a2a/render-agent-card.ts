import { objectOf, type JsonObject } from '../json/json-object.ts';
import type { A2aVersion, AgentCard, AgentInterface, SecurityRequirement, SecurityScheme } from './agent-card.ts';
import { cardShape } from './card-shape.ts';
import { renderSnakeCase } from './snake-case.ts';

/** The form of 1.0: one flow in each OAuth scheme, nothing of earlier generations. */
export const renderAgentCard = (card: AgentCard): JsonObject => ({
  ...card,
  ...(card.securitySchemes && { securitySchemes: mapValues(card.securitySchemes, withOneFlow) }),
});

/**
 * The form of 0.2 and 0.3, for the interfaces that a caller of these finds; an agent without one is told by its first
 * interface all the same.
 */
export function renderLegacyCard(card: AgentCard, version: Exclude<A2aVersion, '1.0'>): JsonObject {
  const {
    supportedInterfaces,
    capabilities,
    securitySchemes,
    securityRequirements,
    skills,
    signatures: _,
    ...rest
  } = card;
  const { extendedAgentCard, ...otherCapabilities } = capabilities;
  const legacy = supportedInterfaces.filter(({ protocolVersion }) => protocolVersion.startsWith('0.'));
  const [first, ...more] = legacy.length > 0 ? legacy : supportedInterfaces;
  return {
    protocolVersion: version === '0.2' ? '0.2.6' : '0.3.0',
    ...rest,
    url: first?.url ?? '',
    preferredTransport: first?.protocolBinding ?? 'JSONRPC',
    ...(more.length > 0 && { additionalInterfaces: [first, ...more].map(renderLegacyInterface) }),
    capabilities: otherCapabilities,
    ...(extendedAgentCard !== undefined && { supportsAuthenticatedExtendedCard: extendedAgentCard }),
    ...(securitySchemes && { securitySchemes: mapValues(securitySchemes, renderLegacyScheme) }),
    ...(securityRequirements && { security: securityRequirements.map(renderLegacyRequirement) }),
    skills: skills.map(({ securityRequirements: ofSkill, ...skill }) => ({
      ...skill,
      ...(ofSkill && { security: ofSkill.map(renderLegacyRequirement) }),
    })),
  };
}

/** Members of 1.0 and 0.3 in one card, for callers that do not say which of the two they read. */
export function renderHybridCard(card: AgentCard): JsonObject {
  const legacy = renderLegacyCard(card, '0.3');
  const current = renderAgentCard(card);
  return {
    ...legacy,
    ...current,
    ...(card.securitySchemes && { securitySchemes: mapValues(card.securitySchemes, renderHybridScheme) }),
  };
}

/** Members in snake case, with the version of the protocol at the top. */
export function renderSpecifiedCard(card: AgentCard): JsonObject {
  const versions = card.supportedInterfaces.map(({ protocolVersion }) => protocolVersion);
  const newest = versions.find((version) => version.startsWith('1.')) ?? versions[0] ?? '1.0';
  return { protocol_version: newest, ...(renderSnakeCase(renderAgentCard(card), cardShape) as JsonObject) };
}

const renderLegacyInterface = (one: AgentInterface | undefined) => ({
  url: one?.url,
  transport: one?.protocolBinding,
});

const renderLegacyRequirement = ({ schemes }: SecurityRequirement) => mapValues(schemes, ({ list }) => list);

const legacyTypes: Readonly<Record<string, string>> = {
  apiKeySecurityScheme: 'apiKey',
  httpAuthSecurityScheme: 'http',
  oauth2SecurityScheme: 'oauth2',
  openIdConnectSecurityScheme: 'openIdConnect',
  mtlsSecurityScheme: 'mutualTLS',
};

function renderLegacyScheme(scheme: SecurityScheme): JsonObject {
  const [[kind, value] = ['', {}]] = Object.entries(scheme);
  const { location, flows, ...rest } = objectOf(value) ?? {};
  const { deviceCode: _, ...known } = objectOf(flows) ?? {};
  return {
    type: legacyTypes[kind],
    ...rest,
    ...(location !== undefined && { in: location }),
    ...(flows !== undefined && { flows: known }),
  };
}

const renderHybridScheme = (scheme: SecurityScheme): JsonObject => ({
  ...renderLegacyScheme(scheme),
  ...withOneFlow(scheme),
});

/** In 1.0 the flows exclude each other. */
function withOneFlow(scheme: SecurityScheme): SecurityScheme {
  const { oauth2SecurityScheme: oauth } = scheme;
  if (oauth === undefined) return scheme;
  return { oauth2SecurityScheme: { ...oauth, flows: Object.fromEntries(Object.entries(oauth.flows).slice(0, 1)) } };
}

const mapValues = <From, To>(map: Readonly<Record<string, From>>, change: (value: From) => To): Record<string, To> =>
  Object.fromEntries(Object.entries(map).map(([name, value]) => [name, change(value)]));
