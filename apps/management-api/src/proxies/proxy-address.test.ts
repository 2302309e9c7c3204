import { expect, test } from '@jest/globals';
import { gatewayOriginFor, proxyAddressOf } from './proxy-address.ts';

const proxy = { port: 8100, transport: 'http', settings: {} };
const at = (more: object, config: object = {}, called?: string) =>
  proxyAddressOf(
    { ...proxy, ...more },
    gatewayOriginFor({ PUBLIC_URL: undefined, TLS_CERT_FILE: undefined, ...config }, called),
  );

test.each([
  ['its port where the gateway was called', {}, {}, 'http://10.0.0.5:8080', 'http://10.0.0.5:8100'],
  [
    'its port on the host of PUBLIC_URL',
    {},
    { PUBLIC_URL: 'https://gw.example/gate/' },
    'http://x',
    'https://gw.example:8100',
  ],
  ['over TLS where the gateway has a certificate', {}, { TLS_CERT_FILE: 'tls.crt' }, 'http://h', 'https://h:8100'],
  ['over TLS where the proxy has one', { settings: { tls_pair: 'one' } }, {}, 'http://h', 'https://h:8100'],
  ['a socket', { transport: 'websocket' }, { PUBLIC_URL: 'https://gw.example' }, undefined, 'wss://gw.example:8100'],
  [
    'a port that belongs to the scheme',
    { port: 443 },
    { PUBLIC_URL: 'https://gw.example' },
    undefined,
    'https://gw.example:443',
  ],
  ['an address of version 6', {}, {}, 'http://[::1]:8080', 'http://[::1]:8100'],
  [
    'a name of its own',
    { settings: { public_url: 'https://llm.example/v/' } },
    { PUBLIC_URL: 'https://gw.example' },
    undefined,
    'https://llm.example/v',
  ],
  [
    'where its tokens say it is',
    { settings: { oauth_proxy_url: 'https://mcp.example' } },
    {},
    'http://h',
    'https://mcp.example',
  ],
])('clients reach a proxy at %s', (_name, more, config, called, expected) => {
  expect(at(more, config, called)).toBe(expected);
});
