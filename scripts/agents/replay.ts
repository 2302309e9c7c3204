import type { RecordedRequest } from '../../packages/testkit/src/loopback-peer.ts';
import { readFindings, type Finding } from './findings.ts';

/** What a proxy made of one request. */
export interface Ruling {
  readonly status: number;
  readonly answer: string;
  readonly findings: readonly Finding[];
}

/** Decided between the client and the proxy, or by the sender. */
const ownHeaders = new Set([
  'accept-encoding',
  'authorization',
  'connection',
  'content-length',
  'host',
  'transfer-encoding',
  'x-request-id',
]);

/** Sends a request that an agent made once more, to another proxy, and has its decision explained. */
export async function replay(
  { method, path, headers, body }: RecordedRequest,
  proxy: { readonly url: string; readonly key: string; readonly adminToken: string },
  signal: AbortSignal,
): Promise<Ruling> {
  const kept = Object.entries(headers).flatMap(([name, value]) =>
    typeof value === 'string' && !ownHeaders.has(name) ? [[name, value] as const] : [],
  );
  const response = await fetch(`${proxy.url}${path}`, {
    method,
    headers: {
      ...Object.fromEntries(kept),
      'x-api-key': proxy.key,
      'x-portcullis-explain': `Bearer ${proxy.adminToken}`,
    },
    ...(method === 'GET' || method === 'HEAD' ? {} : { body }),
    signal,
  });
  const findings = readFindings(response.headers.get('x-portcullis-explain'));
  return { status: response.status, findings, answer: await response.text() };
}
