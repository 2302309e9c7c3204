import { createServer as createClearServer } from 'node:http';
import type { Config } from '../config/config.ts';
import { problemText } from '../errors/problem.ts';
import { runEvery } from '../event-loop/run-every.ts';
import type { Logger } from '../log/logger.ts';
import { findExpiring } from './find-expiring.ts';
import type { TlsPair } from './tls-pair.ts';
import { TlsPorts } from './tls-ports.ts';
import {
  authoritySource,
  load,
  loadFirstOrThrow,
  loadOrThrow,
  namedPairSource,
  pairSource,
  type Authorities,
  type TlsSource,
} from './tls-source.ts';
import type { CreateServer, PortTls, Tls } from './tls.ts';

type TlsConfig = Pick<
  Config,
  'TLS_CERT_FILE' | 'TLS_KEY_FILE' | 'TLS_PAIRS_DIR' | 'TLS_CLIENT_CA_FILE' | 'TLS_CLIENT_AUTH'
>;

interface TlsParts {
  readonly config: TlsConfig;
  readonly log: Logger;
  readonly checkEveryMs?: number;
}

/**
 * Reads the certificates of this process and looks every two seconds whether their files have changed. New ones
 * count for new connections; those that stand go on. Files that cannot be used leave the former ones in force.
 * @throws {StartProblem} naming what cannot be used
 */
export async function openTls({ config, log, checkEveryMs = 2_000 }: TlsParts): Promise<Tls> {
  const files = new FileTls(config, log);
  await files.loadFirstOrThrow();
  const checks = runEvery(() => files.check(), {
    intervalMs: checkEveryMs,
    later: true,
    onFault: (error) => void log.warn('Certificates could not be looked at', { problem: problemText(error) }),
  });
  return {
    enabled: files.enabled,
    prepare: (port) => files.prepare(port),
    keepOnly: (pairs) => files.keepOnly(pairs),
    onMended: (listener) => files.onMended(listener),
    ending: (nowMs) => files.ending(nowMs),
    problems: (nowMs) => files.problems(nowMs),
    [Symbol.asyncDispose]: () => checks[Symbol.asyncDispose](),
  };
}

/** The certificates that the files of this process hold. */
class FileTls {
  readonly #log: Logger;
  /** Of named pairs. */
  readonly #folder: string | undefined;
  readonly #own: TlsSource<TlsPair> | undefined;
  readonly #authorities: TlsSource<Authorities> | undefined;
  readonly #named = new Map<string, TlsSource<TlsPair>>();
  readonly #ports: TlsPorts;
  readonly #mended: (() => void)[] = [];

  constructor(config: TlsConfig, log: Logger) {
    const { TLS_CERT_FILE: cert, TLS_KEY_FILE: key, TLS_PAIRS_DIR: folder, TLS_CLIENT_CA_FILE: ca } = config;
    this.#log = log;
    this.#folder = folder;
    this.#own = cert === undefined || key === undefined ? undefined : pairSource('TLS_CERT_FILE', cert, key);
    this.#authorities = ca === undefined ? undefined : authoritySource(ca);
    this.#ports = new TlsPorts(this.#authorities, config.TLS_CLIENT_AUTH === 'require');
  }

  get enabled(): boolean {
    return this.#own !== undefined;
  }

  async loadFirstOrThrow(): Promise<void> {
    for (const source of [this.#own, this.#authorities]) await loadFirstOrThrow(source, this.#log);
  }

  /** Takes what has changed into use. */
  async check(): Promise<void> {
    const log = this.#log;
    const authorities = this.#authorities;
    const hasNewAuthorities = authorities !== undefined && (await load(authorities, log));
    if (hasNewAuthorities) log.info('Authorities of client certificates were read anew', { name: authorities.name });
    for (const source of this.#sources()) {
      const wasBroken = source.value === undefined;
      const isNew = await load(source, log);
      if (isNew) log.info('A certificate was read anew', { name: source.name, ends_at: firstEndOf(source.value) });
      if (isNew || hasNewAuthorities) this.#ports.renew(source, { asking: !isNew });
      if (isNew && wasBroken) for (const listener of this.#mended) listener();
    }
  }

  async prepare({ pair, asksClients = false }: PortTls): Promise<CreateServer> {
    const source = typeof pair === 'string' ? await this.#findOrThrow(pair) : this.#own;
    return source === undefined ? createClearServer : this.#ports.creatorFor(source, asksClients);
  }

  keepOnly(pairs: ReadonlySet<string>): void {
    for (const name of this.#named.keys()) if (!pairs.has(name)) this.#named.delete(name);
  }

  onMended(listener: () => void): void {
    this.#mended.push(listener);
  }

  ending(nowMs = Date.now()): ReturnType<Tls['ending']> {
    return this.#used().flatMap(({ name, value }) => findExpiring(name, value?.certificates ?? [], nowMs));
  }

  problems(nowMs?: number): string[] {
    return [...this.#used().flatMap(describeProblem), ...this.ending(nowMs).map(describeEnding)];
  }

  async #findOrThrow(pair: string): Promise<TlsSource<TlsPair>> {
    const source = this.#named.get(pair) ?? namedPairSource(this.#folder, pair);
    this.#named.set(pair, source);
    return loadOrThrow(source, this.#log);
  }

  #sources(): readonly TlsSource<TlsPair>[] {
    return [...(this.#own === undefined ? [] : [this.#own]), ...this.#named.values()];
  }

  #used() {
    return [...this.#sources(), ...(this.#authorities === undefined ? [] : [this.#authorities])];
  }
}

const describeProblem = ({ name, problem }: Pick<TlsSource<unknown>, 'name' | 'problem'>): string[] =>
  problem === undefined ? [] : [`tls: ${name}: ${problem}`];

const describeEnding = ({ name, subject, endsAt, daysLeft }: ReturnType<Tls['ending']>[number]): string =>
  `tls: ${name}: ${subject} ${daysLeft < 0 ? 'ended' : 'ends'} on ${endsAt.toISOString().slice(0, 10)}`;

const firstEndOf = (pair: TlsPair | undefined): string | undefined =>
  pair?.certificates.reduce((first, { endsAt }) => (endsAt < first ? endsAt : first), new Date(8.64e15)).toISOString();
