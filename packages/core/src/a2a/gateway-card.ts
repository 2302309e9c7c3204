import type { AgentCard, AgentInterface, AgentSkill } from './agent-card.ts';

/** Under which the card of an agent behind the gateway says where it comes from. */
const provenanceUri = 'urn:portcullis:a2a:provenance:v1';
/** Under which the gateway's own card says which methods of its own it answers. */
const methodsUri = 'urn:portcullis:a2a:methods:v1';

/** What the gateway says of the card that it took over. */
export interface CardProvenance {
  readonly upstreamCardSha256: string;
  readonly signature: string;
  readonly keyId?: string | undefined;
  /** ISO 8601. */
  readonly fetchedAt: string;
}

/** A login token or an API key, as the gateway takes them everywhere. */
const gatewaySecurity: Pick<AgentCard, 'securitySchemes' | 'securityRequirements'> = {
  securitySchemes: {
    api_key: { apiKeySecurityScheme: { location: 'header', name: 'X-API-Key' } },
    bearer: { httpAuthSecurityScheme: { scheme: 'Bearer' } },
  },
  securityRequirements: [{ schemes: { api_key: { list: [] } } }, { schemes: { bearer: { list: [] } } }],
};

/** What the standard endpoint of an agent answers, the one to prefer first. */
const agentInterfaces = (url: string): readonly AgentInterface[] =>
  ['1.0', '0.3'].flatMap((protocolVersion) =>
    ['JSONRPC', 'HTTP+JSON'].map((protocolBinding) => ({ url, protocolBinding, protocolVersion })),
  );

/**
 * The card of an agent as the gateway serves it: its texts, and nothing by which a caller could reach it otherwise than
 * through the gateway.
 * @param endpoint URL of the gateway at which the agent is called
 */
export function rewriteCard(card: AgentCard, endpoint: string, provenance: CardProvenance): AgentCard {
  const { name, description, version, provider, documentationUrl, iconUrl } = card;
  return {
    name,
    description,
    supportedInterfaces: agentInterfaces(endpoint),
    ...(provider && { provider: { ...provider, url: isWebUrl(provider.url) ? provider.url : '' } }),
    version,
    ...(isWebUrl(documentationUrl) && { documentationUrl }),
    ...(isWebUrl(iconUrl) && { iconUrl }),
    // What the agent cannot stream the gateway tells in one event. Callbacks it does not offer.
    capabilities: {
      streaming: true,
      extendedAgentCard: true,
      extensions: [{ uri: provenanceUri, params: { ...provenance } }],
    },
    ...gatewaySecurity,
    defaultInputModes: card.defaultInputModes,
    defaultOutputModes: card.defaultOutputModes,
    skills: card.skills.map(withoutSecurity),
  };
}

function withoutSecurity(skill: AgentSkill): AgentSkill {
  const { securityRequirements, ...rest } = skill;
  return securityRequirements === undefined ? skill : rest;
}

const isWebUrl = (text: string | undefined): text is string => /^https?:\/\//i.test(text ?? '');

/** The card of the gateway itself: how to ask it for the agents behind it. */
export const gatewayCard = (name: string, version: string, endpoint: string): AgentCard => ({
  name,
  description: 'Security gateway in front of A2A agents: lists those that a caller may use, and calls them.',
  supportedInterfaces: [{ url: endpoint, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
  version,
  capabilities: {
    streaming: true,
    extensions: [{ uri: methodsUri, params: { methods: ['agents/list', 'agents/get', 'agents/invoke'] } }],
  },
  ...gatewaySecurity,
  defaultInputModes: ['text/plain', 'application/json'],
  defaultOutputModes: ['text/plain', 'application/json'],
  skills: [
    {
      id: 'agents',
      name: 'Agents',
      description:
        'Lists the agents behind the gateway and calls them, through agents/list, agents/get and agents/invoke.',
      tags: ['gateway', 'registry'],
    },
  ],
});
