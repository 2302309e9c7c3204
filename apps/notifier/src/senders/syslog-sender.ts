import { once } from 'node:events';
import { isIP, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { connect as startTls } from 'node:tls';
import type { Secret } from '@portcullis/platform/config/secret';
import { hostRefusal, type AddressRule } from '@portcullis/platform/network/address-guard';
import { describeConnectionProblem } from '@portcullis/platform/network/describe-connection-problem';
import { AddressRefused, createGuardedConnector } from '@portcullis/platform/network/guarded-connector';
import { problemCode } from '@portcullis/platform/errors/problem';
import { refused, type DeliveryOutcome } from './delivery-outcome.ts';

export interface SyslogServer {
  readonly host: string;
  readonly port: number;
  /** Undefined: the messages go in clear. */
  readonly tls:
    | {
        readonly verify: boolean;
        /** Shown to servers that ask for a certificate (PEM). */
        readonly client: { readonly certificate: string; readonly key: Secret } | undefined;
      }
    | undefined;
}

export interface SyslogSender {
  /**
   * Hands messages over on one connection, each with its length before it (RFC 6587, RFC 5425). Syslog has no answers: delivered
   * means that the server took all bytes and did not close before we did. Never rejects; an aborted signal makes the
   * outcome `failed`.
   */
  send(batch: SyslogBatch, signal: AbortSignal): Promise<DeliveryOutcome>;
}

export interface SyslogBatch {
  readonly server: SyslogServer;
  readonly messages: readonly Buffer[];
  /** How long the server has to close the connection if it does not like what it got. */
  readonly rejectionWaitMs: number;
}

/** How long a server that has everything may take to close. Some leave it to the client. */
const closingMs = 1_000;
const maxAnswerBytes = 1_024;

/** Hands messages to syslog servers that admins name: guarded against internal addresses, and bounded in time. */
export function createSyslogSender(rule: AddressRule, timeoutMs = 10_000): SyslogSender {
  const connect = createGuardedConnector({ ...rule, connectTimeoutMs: timeoutMs });
  const open = ({ host, port }: SyslogServer): Promise<Socket> =>
    new Promise((resolve, reject) => {
      // In clear: a connector for HTTP would offer that protocol to the server in its TLS.
      connect({ hostname: host, host, protocol: 'http:', port: String(port) }, (error, socket) => {
        if (error === null) resolve(socket);
        else reject(error);
      });
    });

  return {
    async send(batch, signal) {
      const { server } = batch;
      const refusal = hostRefusal(server.host, rule);
      if (refusal !== undefined) return refused(null, `The host of the syslog server ${refusal}`);
      const timeout = AbortSignal.timeout(timeoutMs);
      const bound = AbortSignal.any([signal, timeout]);
      let plain: Socket | undefined;
      try {
        plain = await open(server);
        plain.on('error', ignore);
        const socket = server.tls === undefined ? plain : await secure(plain, server.host, server.tls, bound);
        return await writeBatch(socket, batch, bound);
      } catch (error) {
        if (error instanceof AddressRefused) return refused(null, `The host of the syslog server ${error.message}`);
        const problem = timeout.aborted
          ? `did not take the messages within ${timeoutMs} ms`
          : `could not be reached: ${describeProblem(error)}`;
        return { kind: 'failed', status: null, reason: `The syslog server ${problem}` };
      } finally {
        plain?.destroy();
      }
    },
  };
}

async function secure(
  plain: Socket,
  host: string,
  { verify, client }: NonNullable<SyslogServer['tls']>,
  bound: AbortSignal,
): Promise<Socket> {
  const socket = startTls({
    socket: plain,
    host,
    ...(isIP(host) === 0 && { servername: host }),
    rejectUnauthorized: verify,
    ...(client !== undefined && { cert: client.certificate, key: client.key.reveal() }),
  });
  socket.on('error', ignore);
  await once(socket, 'secureConnect', { signal: bound });
  return socket;
}

/** Errors reach the code that waits for the socket; one that comes when nothing waits must not end the process. */
const ignore = (): void => undefined;

/** A server that closes before it is told to has not liked what it got; one that has everything closes after us, or keeps silent. */
async function writeBatch(
  socket: Socket,
  { server, messages, rejectionWaitMs }: SyslogBatch,
  bound: AbortSignal,
): Promise<DeliveryOutcome> {
  let said = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    if (said.length < maxAnswerBytes) said = Buffer.concat([said, chunk]);
  });
  const closed = once(socket, 'close', { signal: bound }).then(() => true);
  const frames = messages.flatMap((message) => [Buffer.from(`${message.length} `), message]);
  const written = new Promise<void>((resolve) => {
    socket.write(Buffer.concat(frames), () => resolve());
  });
  const isEarly = await Promise.race([closed, written.then(() => wait(rejectionWaitMs))]);
  if (server.tls === undefined && looksLikeTls(said))
    return refused(null, 'The syslog server speaks TLS at this port, and the transport is tcp');
  if (isEarly) return { kind: 'failed', status: null, reason: closedEarly(server) };
  socket.end();
  await Promise.race([closed, wait(closingMs)]);
  return { kind: 'delivered', status: null };
}

/** False, then. */
const wait = (ms: number): Promise<boolean> => pause(ms, false, { ref: false });

const closedEarly = ({ tls }: SyslogServer): string =>
  `The syslog server closed the connection when it got the messages: it may not take RFC 5424 with octet counting${tls === undefined ? ', or it speaks TLS at this port' : ''}`;

/** An alert record, with which servers answer what is no TLS. */
const looksLikeTls = (said: Buffer): boolean => said[0] === 0x15 && said[1] === 0x03;

const tlsWords: readonly (readonly [RegExp, string])[] = [
  [/ALERT_CERTIFICATE_REQUIRED|ALERT_HANDSHAKE_FAILURE/i, 'it asks for another certificate of the gateway'],
  [/ALERT_(UNKNOWN_CA|BAD_CERTIFICATE|CERTIFICATE_\w+)/i, 'it does not accept the certificate of the gateway'],
  [/WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|UNEXPECTED_MESSAGE/i, 'it does not speak TLS at this port'],
  [/KEY_VALUES_MISMATCH/, 'client_key is not the key of client_certificate'],
  [/ERR_OSSL_PEM|ERR_OSSL_ASN1|ERR_OSSL_UNSUPPORTED/, 'client_certificate or client_key cannot be read'],
];

function describeProblem(error: unknown): string {
  const code = problemCode(error) ?? '';
  const words = tlsWords.find(([pattern]) => pattern.test(code))?.[1];
  return words === undefined ? describeConnectionProblem(error) : `${words} (${code})`;
}
