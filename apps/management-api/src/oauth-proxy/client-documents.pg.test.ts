import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Config } from '@portcullis/platform/config/config';
import { readOAuthSettings, type OAuthProxySettings } from '@portcullis/platform/oauth-proxy/oauth-settings';
import { openTestDatabase, silentLog } from '@portcullis/platform/test/test-database';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createClientDocuments, DocumentRefused, type ClientDocuments } from './client-documents.ts';
import type { ProxyServer } from './proxy-server.ts';

const stored = {
  oauth_proxy_enabled: true,
  oauth_proxy_mode: 'gateway',
  oauth_proxy_url: 'https://mcp.example.com',
  oauth_proxy_provider_id: 1,
};
const settings = readOAuthSettings({ type: 'mcp', port: 8116, settings: stored }, undefined) as OAuthProxySettings;
const proxy: ProxyServer = { id: 1, name: 'documents', settings };

describe('documents of clients, in production', () => {
  let database: Awaited<ReturnType<typeof openTestDatabase>>;
  let documents: ClientDocuments;
  let inside: Server;
  let asked = 0;
  beforeAll(async () => {
    database = await openTestDatabase('embedded');
    // Targets may be inside; that lets no stranger have the gateway ask there.
    const config = { ENVIRONMENT: 'production', ALLOW_PRIVATE_TARGETS: 'true', ALLOWED_PRIVATE_TARGETS: [] };
    documents = createClientDocuments(database, config as unknown as Config, silentLog);
    inside = createServer((_request, response) => {
      asked += 1;
      response.end('{}');
    });
    inside.on('connection', () => (asked += 1));
    inside.listen(0, '127.0.0.1');
    await once(inside, 'listening');
  });
  afterAll(async () => {
    await documents?.[Symbol.asyncDispose]();
    await database?.[Symbol.asyncDispose]();
    inside.close();
  });

  test.each([
    '127.0.0.1',
    'localhost',
    '[::1]',
    '10.0.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '[fd00::1]',
    '0.0.0.0',
    '2130706433',
  ])('none is read at %s', async (host) => {
    const { port } = inside.address() as AddressInfo;
    for (const scheme of ['https', 'http']) {
      await expect(documents.find(proxy, `${scheme}://${host}:${port}/client.json`)).rejects.toBeInstanceOf(
        DocumentRefused,
      );
    }
    expect(asked).toBe(0);
  });
});
