import { connect, type Socket, type TcpNetConnectOpts } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { AbstractConnector, type RedisOptions } from 'ioredis';

const maxReplyCharacters = 1_500;

/**
 * Opens connections, and hears what Redis says to a PING before the client speaks. A Redis that refuses every client, as in
 * protected mode, says why and hangs up: the client would lose that as a broken pipe, or take it for a password too many.
 */
export class ListeningConnector extends AbstractConnector {
  readonly #options: RedisOptions;

  /** @param options of the connection; the client does not say so in its types */
  constructor(options: unknown) {
    super((options as RedisOptions).disconnectTimeout ?? 0);
    this.#options = options as RedisOptions;
  }

  /** A connection on which nothing is under way, or one that is destroyed with `firstError` as the reason. */
  async connect(): Promise<Socket> {
    const { connectTimeout = 10_000 } = this.#options;
    this.connecting = true;
    delete this.firstError;
    const stream = open(this.#options);
    this.stream = stream;
    const reply = await askForReply(stream, connectTimeout).catch((error: Error) => {
      // The client library knows this text, and does not report what it has ended itself.
      this.firstError = this.connecting ? error : new Error('Connection is closed.');
      stream.destroy();
      return '';
    });
    if (/^-(?:DENIED|ERR max number of clients)/.test(reply)) {
      this.firstError = new Error(reply.slice(1));
      stream.destroy();
    }
    return stream;
  }
}

function open({ tls, path, host, port, family }: RedisOptions): Socket {
  if (typeof path === 'string') return connect({ path });
  const place: TcpNetConnectOpts = { port: port ?? 6_379, ...(host && { host }), ...(family && { family }) };
  return tls ? connectTls({ ...place, ...tls }) : connect(place);
}

/** Resolves with the line that Redis answers; nothing is read beyond it, since nothing else was asked. */
function askForReply(stream: Socket, timeoutMs: number): Promise<string> {
  return new Promise((resolve, reject) => {
    let reply = '';
    const hear = (chunk: Buffer): void => {
      reply += chunk.toString('latin1');
      if (reply.includes('\n') || reply.length > maxReplyCharacters) end();
    };
    // A process that stood still reads what has come before it gives up.
    const giveUp = (): void => {
      const problem = stream.connecting ? 'connect ETIMEDOUT' : `Redis says nothing for ${timeoutMs} ms`;
      setImmediate(() => reject(new Error(problem)));
    };
    const close = (): void => (reply === '' ? reject(new Error('Redis hung up')) : end());
    const end = (): void => {
      stream.off('data', hear).off('timeout', giveUp).off('error', reject).off('close', close);
      stream.setTimeout(0);
      resolve(reply.slice(0, maxReplyCharacters).trimEnd());
    };
    stream.setTimeout(timeoutMs).on('timeout', giveUp).on('error', reject).on('close', close).on('data', hear);
    stream.write('PING\r\n');
  });
}
