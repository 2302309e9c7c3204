import type { JsonObject } from '../json/json-object.ts';

/** Generations of the protocol that the gateway speaks, newest first. Patches of one generation are the same. */
export const a2aVersions = ['1.0', '0.3', '0.2'] as const;
export type A2aVersion = (typeof a2aVersions)[number];

export const knownBindings = ['JSONRPC', 'HTTP+JSON', 'GRPC'] as const;

/** An agent's card as A2A 1.0 writes it; cards of every generation are read into it. */
export interface AgentCard {
  readonly name: string;
  readonly description: string;
  readonly supportedInterfaces: readonly AgentInterface[];
  readonly provider?: AgentProvider | undefined;
  /** Of the agent, in its own counting. */
  readonly version: string;
  readonly documentationUrl?: string | undefined;
  readonly iconUrl?: string | undefined;
  readonly capabilities: AgentCapabilities;
  readonly securitySchemes?: Readonly<Record<string, SecurityScheme>> | undefined;
  readonly securityRequirements?: readonly SecurityRequirement[] | undefined;
  readonly defaultInputModes: readonly string[];
  readonly defaultOutputModes: readonly string[];
  readonly skills: readonly AgentSkill[];
  readonly signatures?: readonly CardSignature[] | undefined;
}

/** Where an agent is reached and what it speaks there. The order is the agent's preference. */
export interface AgentInterface {
  readonly url: string;
  /** One of `knownBindings`, or the URI of another. */
  readonly protocolBinding: string;
  /** Major and minor number, such as `1.0`. */
  readonly protocolVersion: string;
  /** To be sent with every request. */
  readonly tenant?: string | undefined;
}

export interface AgentProvider {
  readonly organization: string;
  readonly url: string;
}

export interface AgentCapabilities {
  readonly streaming?: boolean | undefined;
  readonly pushNotifications?: boolean | undefined;
  readonly extendedAgentCard?: boolean | undefined;
  readonly extensions?: readonly AgentExtension[] | undefined;
}

export interface AgentExtension {
  readonly uri: string;
  readonly description?: string | undefined;
  readonly required?: boolean | undefined;
  readonly params?: JsonObject | undefined;
}

export interface AgentSkill {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly examples?: readonly string[] | undefined;
  readonly inputModes?: readonly string[] | undefined;
  readonly outputModes?: readonly string[] | undefined;
  readonly securityRequirements?: readonly SecurityRequirement[] | undefined;
}

/** All of the schemes together, each with its scopes. */
export interface SecurityRequirement {
  readonly schemes: Readonly<Record<string, { readonly list: readonly string[] }>>;
}

/** Exactly one member, which names the kind. */
export interface SecurityScheme {
  readonly apiKeySecurityScheme?: { readonly description?: string; readonly location: string; readonly name: string };
  readonly httpAuthSecurityScheme?: {
    readonly description?: string;
    readonly scheme: string;
    readonly bearerFormat?: string;
  };
  readonly oauth2SecurityScheme?: {
    readonly description?: string;
    readonly flows: Readonly<Record<string, OAuthFlow>>;
    readonly oauth2MetadataUrl?: string;
  };
  readonly openIdConnectSecurityScheme?: { readonly description?: string; readonly openIdConnectUrl: string };
  readonly mtlsSecurityScheme?: { readonly description?: string };
}

export interface OAuthFlow {
  readonly authorizationUrl?: string | undefined;
  readonly deviceAuthorizationUrl?: string | undefined;
  readonly tokenUrl?: string | undefined;
  readonly refreshUrl?: string | undefined;
  readonly pkceRequired?: boolean | undefined;
  readonly scopes: Readonly<Record<string, string>>;
}

/** A detached JSON web signature over the card without its signatures. */
export interface CardSignature {
  readonly protected: string;
  readonly signature: string;
  readonly header?: JsonObject | undefined;
}
