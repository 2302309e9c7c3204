import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { connect, type ConnectionOptions } from 'node:tls';
import { setUpProxy, type ReadyProxy } from '../../apps/gateway/test/set-up-proxy.ts';
import { startLlmPeer, type LlmPeer } from '../../packages/testkit/src/llm-peer.ts';
import {
  createTestAuthority,
  trustAuthority,
  type TestAuthority,
  type TestPair,
} from '../../packages/testkit/src/test-authority.ts';
import type { TestGateway } from '../../packages/testkit/src/test-gateway.ts';
import { chatWith, type Question } from './send-question.ts';
import type { Laboratory } from './laboratory.ts';

/** A gateway that speaks TLS and asks clients for certificates, with a proxy of its own. */
export interface TlsGateway extends AsyncDisposable {
  readonly gateway: TestGateway;
  readonly model: LlmPeer;
  readonly proxy: ReadyProxy;
  /** Of the gateway and of good clients. */
  readonly authority: TestAuthority;
  /** Writes the files of the gateway's own pair. */
  writePair(pair: TestPair): void;
  /** A chat over TLS; without a key unless the headers have one. */
  ask(
    question?: Partial<Question>,
    tls?: ConnectionOptions,
  ): Promise<{ readonly status: number; readonly body: string }>;
}

export async function openTlsGateway({ openPlace }: Laboratory): Promise<TlsGateway> {
  await using opened = new AsyncDisposableStack();
  const place = opened.use(await openPlace());
  const folder = join(place.directory, 'certificates');
  mkdirSync(folder);
  const file = (name: string): string => join(folder, name);
  const authority = await createTestAuthority();
  opened.use(trustAuthority(authority));
  const writePair = ({ cert, key }: TestPair): void => {
    writeFileSync(file('tls.crt'), cert);
    writeFileSync(file('tls.key'), key);
  };
  writePair(await authority.issue({ subject: 'CN=gateway' }));
  writeFileSync(file('clients.crt'), authority.cert);
  const gateway = await place.start({
    TLS_CERT_FILE: file('tls.crt'),
    TLS_KEY_FILE: file('tls.key'),
    TLS_CLIENT_CA_FILE: file('clients.crt'),
  });
  const model = opened.use(await startLlmPeer());
  const proxy = await setUpProxy(gateway.admin, model.url);
  const resources = opened.move();

  return {
    gateway,
    model,
    proxy,
    authority,
    writePair,
    async ask({ path = chatWith('').path, headers = {}, body = chatWith('hello').body } = {}, tls = {}) {
      const outgoing = request({
        host: '127.0.0.1',
        port: proxy.port,
        servername: 'localhost',
        ca: authority.cert,
        method: 'POST',
        path,
        agent: false,
        ...tls,
        headers: { 'content-type': 'application/json', ...headers },
      });
      const answered = once(outgoing, 'response') as Promise<[IncomingMessage]>;
      outgoing.end(body);
      const [response] = await answered;
      return { status: response.statusCode ?? 0, body: (await buffer(response)).toString() };
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

/** What was agreed on, or undefined where the handshake failed. */
export async function shakeHands(port: number, options: ConnectionOptions) {
  const socket = connect({ host: '127.0.0.1', port, servername: 'localhost', rejectUnauthorized: false, ...options });
  try {
    await once(socket, 'secureConnect');
    return {
      protocol: socket.getProtocol(),
      cipher: socket.getCipher().name,
      name: socket.getPeerCertificate().subject.CN,
    };
  } catch {
    return undefined;
  } finally {
    socket.destroy();
  }
}
