import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Browser } from '@portcullis/testkit/browser';
import { decideConsent } from '@portcullis/testkit/consent';

const program = createRequire(import.meta.url).resolve('mcp-remote/dist/proxy.js');

/**
 * Connects by the program `mcp-remote`, unmodified, as an editor starts it, and has its user sign in.
 * @param url of the MCP endpoint
 * @throws with what the program said
 */
export async function connectByMcpRemote(url: string): Promise<Client & AsyncDisposable> {
  const directory = await mkdtemp(join(tmpdir(), 'portcullis-mcp-remote-'));
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program, url, '--transport', 'http-only'],
    env: { PATH: '/nowhere', HOME: directory, MCP_REMOTE_CONFIG_DIR: directory },
    stderr: 'pipe',
  });
  const said: string[] = [];
  createInterface(transport.stderr as Readable).on('line', (line) => {
    said.push(line);
    const [address] = /http:\/\/127\.0\.0\.1:\d+\/api\/v1\/oauth-proxy\/\S+/.exec(line) ?? [];
    if (address === undefined) return;
    const browser = new Browser();
    void decideConsent(browser, address, ({ port, hostname }) => isOwn(hostname, port, address)).then((back) =>
      browser.open(back),
    );
  });
  const client = new Client({ name: 'editor', version: '1.0.0' });
  await client.connect(transport).catch((error: unknown) => {
    throw new Error(`${String(error)}\n${said.join('\n')}`);
  });
  return Object.assign(client, {
    async [Symbol.asyncDispose]() {
      await client.close();
      await rm(directory, { recursive: true, force: true });
    },
  });
}

/** The callback that the program named in its authorization request. */
function isOwn(hostname: string, port: string, authorizationUrl: string): boolean {
  const own = new URL(new URL(authorizationUrl).searchParams.get('redirect_uri') ?? '');
  return own.hostname === hostname && own.port === port;
}
