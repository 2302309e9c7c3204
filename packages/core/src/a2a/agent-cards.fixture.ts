/** One agent as each generation writes it down. */

const skill = {
  id: 'route',
  name: 'Route planning',
  description: 'Plans a way between two places',
  tags: ['maps', 'travel'],
  examples: ['From Bern to Basel'],
  inputModes: ['text/plain'],
};

const shared = {
  name: 'Router',
  description: 'Plans ways',
  provider: { organization: 'Maps Ltd', url: 'https://maps.example' },
  iconUrl: 'https://maps.example/icon.png',
  version: '1.2.0',
  documentationUrl: 'https://maps.example/docs',
  defaultInputModes: ['text/plain', 'application/json'],
  defaultOutputModes: ['image/png'],
};

const flows = {
  authorizationCode: {
    authorizationUrl: 'https://id.example/authorize',
    tokenUrl: 'https://id.example/token',
    scopes: { read_maps: 'Reads maps' },
  },
};

export const currentCard = {
  ...shared,
  supportedInterfaces: [
    { url: 'https://agent.example/rpc', protocolBinding: 'JSONRPC', protocolVersion: '0.3' },
    { url: 'https://agent.example/http', protocolBinding: 'HTTP+JSON', protocolVersion: '0.3' },
  ],
  capabilities: {
    streaming: true,
    pushNotifications: false,
    extendedAgentCard: true,
    extensions: [{ uri: 'https://ext.example/v1', required: true, params: { camelCase: { snake_case: 1 } } }],
  },
  securitySchemes: {
    my_key: { apiKeySecurityScheme: { location: 'header', name: 'X-Key' } },
    bearer: { httpAuthSecurityScheme: { scheme: 'bearer', bearerFormat: 'JWT' } },
    oauth: { oauth2SecurityScheme: { flows } },
    oidc: { openIdConnectSecurityScheme: { openIdConnectUrl: 'https://id.example/.well-known' } },
    tls: { mtlsSecurityScheme: {} },
  },
  securityRequirements: [{ schemes: { oauth: { list: ['read_maps'] }, my_key: { list: [] } } }],
  skills: [{ ...skill, securityRequirements: [{ schemes: { bearer: { list: [] } } }] }],
};

export const legacyCard = {
  protocolVersion: '0.3.0',
  ...shared,
  url: 'https://agent.example/rpc',
  preferredTransport: 'JSONRPC',
  additionalInterfaces: [
    { url: 'https://agent.example/rpc', transport: 'JSONRPC' },
    { url: 'https://agent.example/http', transport: 'HTTP+JSON' },
  ],
  capabilities: {
    streaming: true,
    pushNotifications: false,
    extensions: [{ uri: 'https://ext.example/v1', required: true, params: { camelCase: { snake_case: 1 } } }],
  },
  supportsAuthenticatedExtendedCard: true,
  securitySchemes: {
    my_key: { type: 'apiKey', in: 'header', name: 'X-Key' },
    bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
    oauth: { type: 'oauth2', flows },
    oidc: { type: 'openIdConnect', openIdConnectUrl: 'https://id.example/.well-known' },
    tls: { type: 'mutualTLS' },
  },
  security: [{ oauth: ['read_maps'], my_key: [] }],
  skills: [{ ...skill, security: [{ bearer: [] }] }],
};
