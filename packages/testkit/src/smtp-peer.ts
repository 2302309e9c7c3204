import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import type { TestPair } from './test-authority.ts';

/** A mail that was taken. */
export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** Headers and body as they came. */
  readonly raw: string;
  readonly isEncrypted: boolean;
  readonly user: string | undefined;
}

export interface SmtpPeer extends AsyncDisposable {
  readonly port: number;
  /** Oldest first. */
  readonly mails: readonly ReceivedMail[];
}

export interface SmtpPeerOptions {
  /** Its certificate; without one it offers no TLS. */
  readonly pair?: TestPair;
  /** TLS from the first byte. */
  readonly implicitTls?: boolean;
  /** What senders must know. */
  readonly login?: { readonly username: string; readonly password: string };
  /** Recipients that it refuses, with this code. */
  readonly refuse?: { readonly recipient: string; readonly code: number };
}

/** Starts an SMTP server on loopback that takes mails as a strict one does: logins over TLS alone. */
export async function startSmtpPeer({ pair, implicitTls, login, refuse }: SmtpPeerOptions = {}): Promise<SmtpPeer> {
  const mails: ReceivedMail[] = [];
  const options: SMTPServerOptions = {
    ...(pair !== undefined && { cert: pair.cert, key: pair.key }),
    secure: implicitTls === true,
    authOptional: login === undefined,
    allowInsecureAuth: false,
    disabledCommands: pair === undefined ? ['STARTTLS', 'AUTH'] : login === undefined ? ['AUTH'] : [],
    onAuth({ username, password }, _session, answer) {
      if (login !== undefined && username === login.username && password === login.password)
        answer(null, { user: username });
      else answer(withCode(new Error('Authentication failed'), 535));
    },
    onRcptTo({ address }, _session, answer) {
      if (address === refuse?.recipient) answer(withCode(new Error('Not taken'), refuse.code));
      else answer();
    },
    onData(stream, { envelope, secure, user }, answer) {
      text(stream).then(
        (raw) => {
          const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
          mails.push({ from, to: envelope.rcptTo.map(({ address }) => address), raw, isEncrypted: secure, user });
          answer();
        },
        (error: unknown) => answer(error instanceof Error ? error : new Error(String(error))),
      );
    },
  };
  const server = new SMTPServer(options);
  // A client that does not like its certificate is no fault of the server.
  server.on('error', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  return {
    port,
    mails,
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

const withCode = (error: Error, responseCode: number): Error => Object.assign(error, { responseCode });
