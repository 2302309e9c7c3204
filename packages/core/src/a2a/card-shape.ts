import type { Shape } from './snake-case.ts';

const plain = <Name extends string>(...names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, 'verbatim'])) as Record<Name, 'verbatim'>;

const requirements: Shape = { each: { members: { schemes: { each: { members: plain('list') } } } } };
const flow: Shape = {
  members: plain('authorizationUrl', 'deviceAuthorizationUrl', 'tokenUrl', 'refreshUrl', 'pkceRequired', 'scopes'),
};
const scheme: Shape = {
  members: {
    apiKeySecurityScheme: { members: plain('description', 'location', 'name') },
    httpAuthSecurityScheme: { members: plain('description', 'scheme', 'bearerFormat') },
    oauth2SecurityScheme: {
      members: {
        ...plain('description', 'oauth2MetadataUrl'),
        flows: {
          members: {
            authorizationCode: flow,
            clientCredentials: flow,
            deviceCode: flow,
            implicit: flow,
            password: flow,
          },
        },
      },
    },
    openIdConnectSecurityScheme: { members: plain('description', 'openIdConnectUrl') },
    mtlsSecurityScheme: { members: plain('description') },
  },
};

/** Which members of a card are names of the protocol, and where the sender's own begin. */
export const cardShape: Shape = {
  members: {
    ...plain('name', 'description'),
    supportedInterfaces: { each: { members: plain('url', 'protocolBinding', 'protocolVersion', 'tenant') } },
    provider: { members: plain('organization', 'url') },
    ...plain('version', 'documentationUrl', 'iconUrl'),
    capabilities: {
      members: {
        ...plain('streaming', 'pushNotifications', 'extendedAgentCard'),
        extensions: { each: { members: plain('uri', 'description', 'required', 'params') } },
      },
    },
    securitySchemes: { each: scheme },
    securityRequirements: requirements,
    ...plain('defaultInputModes', 'defaultOutputModes'),
    skills: {
      each: {
        members: {
          ...plain('id', 'name', 'description', 'tags', 'examples', 'inputModes', 'outputModes'),
          securityRequirements: requirements,
        },
      },
    },
    signatures: { each: { members: plain('protected', 'signature', 'header') } },
  },
};
