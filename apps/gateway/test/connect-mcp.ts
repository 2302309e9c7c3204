import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

/** The newest revision, the newest of the era before, the oldest, and the choice of a client that tries. */
export const eras = ['2026-07-28', '2025-11-25', '2024-11-05', 'auto'] as const;
export type Era = (typeof eras)[number];

/** Connects the official client in one revision. */
export async function connectMcp(url: string, era: Era, headers: Record<string, string> = {}): Promise<Client> {
  const mode = era === 'auto' ? 'auto' : era === '2026-07-28' ? { pin: era } : 'legacy';
  const client = new Client(
    { name: 'test-agent', version: '1.0.0' },
    {
      versionNegotiation: { mode },
      ...(mode === 'legacy' && { supportedProtocolVersions: [era] }),
    },
  );
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  return client;
}
