import { once } from 'node:events';
import type { Socket } from 'node:net';
import type { Secret } from '@portcullis/platform/config/secret';
import type { AddressRule } from '@portcullis/platform/network/address-guard';
import { AddressRefused, createGuardedConnector } from '@portcullis/platform/network/guarded-connector';
import { problemCode } from '@portcullis/platform/errors/problem';
import { describeConnectionProblem } from '@portcullis/platform/network/describe-connection-problem';
import { refused, type DeliveryOutcome } from './delivery-outcome.ts';

/** A mail with its envelope and the server that takes it. */
export interface OutgoingMail {
  readonly host: string;
  readonly port: number;
  /** `implicit`: from the first byte; `starttls`: before the login, and never without. */
  readonly tls: 'implicit' | 'starttls' | 'none';
  readonly login: { readonly username: string; readonly password: Secret } | undefined;
  readonly from: string;
  readonly to: readonly string[];
  /** Unique among the mails of the sender's domain. */
  readonly id: string;
  readonly subject: string;
  readonly text: string;
  readonly html?: string;
}

export interface MailSender {
  /** Never rejects. An aborted signal makes the outcome `failed`. */
  send(mail: OutgoingMail, signal: AbortSignal): Promise<DeliveryOutcome>;
}

/** Hands mails to SMTP servers that admins name: guarded against internal addresses, and bounded in time. */
export function createMailSender(rule: AddressRule, timeoutMs = 10_000): MailSender {
  const connect = createGuardedConnector({ ...rule, connectTimeoutMs: timeoutMs });
  const open = (host: string, port: number): Promise<Socket> =>
    new Promise((resolve, reject) => {
      // In clear: the mail library changes to TLS itself, at once or when the server says so.
      connect({ hostname: host, host, protocol: 'http:', port: String(port) }, (error, socket) => {
        if (error === null) resolve(socket);
        else reject(error);
      });
    });

  return {
    async send(mail, signal) {
      const bound = AbortSignal.any([signal, AbortSignal.timeout(3 * timeoutMs)]);
      let socket: Socket | undefined;
      try {
        socket = await open(mail.host, mail.port);
        await submitMail(mail, socket, timeoutMs, bound);
        return { kind: 'delivered', status: null };
      } catch (error) {
        return describeFailure(error, bound.aborted);
      } finally {
        socket?.destroy();
      }
    },
  };
}

async function submitMail(
  mail: OutgoingMail,
  connection: Socket,
  timeoutMs: number,
  bound: AbortSignal,
): Promise<void> {
  const { host, port, tls, login, from, to, id, subject, text, html } = mail;
  // Most gateways send no mail.
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({
    host,
    port,
    connection,
    secure: tls === 'implicit',
    requireTLS: tls === 'starttls',
    ignoreTLS: tls === 'none',
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    ...(login !== undefined && { auth: { user: login.username, pass: login.password.reveal() } }),
    // Texts of alerts come from strangers: none of them may name a file or an address to read.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const messageId = `<portcullis-${id}@${from.slice(from.indexOf('@') + 1)}>`;
  const sent = transport.sendMail({ from, to: [...to], subject, text, messageId, ...(html !== undefined && { html }) });
  const aborted = once(bound, 'abort').then(() => {
    throw new Error('The mail was not handed over in time');
  });
  await Promise.race([sent, aborted]).finally(() => {
    transport.close();
    sent.catch(() => undefined);
  });
}

function describeFailure(error: unknown, isAborted: boolean): DeliveryOutcome {
  if (error instanceof AddressRefused) return refused(null, `The host of the mail server ${error.message}`);
  if (isAborted) return { kind: 'failed', status: null, reason: 'The mail server did not answer in time' };
  const status = readResponseCode(error);
  const code = problemCode(error);
  if (code === 'EAUTH') return refused(status, 'The mail server does not accept the user name and password');
  if (code === 'ETLS') return refused(status, 'The mail server offers no TLS, which use_tls asks for');
  if (status !== null) {
    const reason = `The mail server refused the mail with ${status}`;
    return status >= 500 ? refused(status, reason) : { kind: 'failed', status, reason };
  }
  return {
    kind: 'failed',
    status,
    reason: `The mail server could not be reached: ${describeConnectionProblem(error)}`,
  };
}

const readResponseCode = (error: unknown): number | null =>
  Error.isError(error) && 'responseCode' in error && typeof error.responseCode === 'number' ? error.responseCode : null;
