import { createServer as createClearServer } from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import { join } from 'node:path';
import type { SecureContextOptions } from 'node:tls';
import type { Config } from '../config/config.ts';
import { problemText } from '../lifecycle/problem.ts';
import { runEvery } from '../lifecycle/run-every.ts';
import { StartProblem } from '../lifecycle/start-problem.ts';
import type { Logger } from '../log/logger.ts';
import { findEnding } from './find-ending.ts';
import { tlsOptions } from './tls-options.ts';
import { parseAuthoritiesOrThrow, parseTlsPairOrThrow, type CertificateFacts, type TlsPair } from './tls-pair.ts';
import type { CreateServer, PortTls, Tls } from './tls.ts';
import { readFilesOrThrow, stampFiles } from './watched-files.ts';

type TlsConfig = Pick<Config, 'TLS_CERT_FILE' | 'TLS_KEY_FILE' | 'TLS_PAIRS_DIR' | 'TLS_CLIENT_CA_FILE'>;

interface TlsParts {
  readonly config: TlsConfig;
  readonly log: Logger;
  readonly checkEveryMs?: number;
}

/** Something that is read from files and can change while it is used. */
interface Source<Value> {
  /** For people: the variable or the pair that names the files. */
  readonly name: string;
  readonly paths: readonly string[];
  readonly parse: (texts: readonly string[]) => Value;
  /** Of the files that were read last, good or not. */
  stamp: string;
  value: Value | undefined;
  /** Why the files that are there now are not in use. */
  problem: string | undefined;
  /** The last of them that the log tells. */
  toldProblem: string | undefined;
}

interface Authorities {
  readonly pem: string;
  readonly certificates: readonly CertificateFacts[];
}

/** An open port and what its certificates are made of. */
interface Port {
  readonly server: TlsServer;
  readonly source: Source<TlsPair>;
  readonly asksClients: boolean;
}

const pairName = /^[a-z0-9][a-z0-9_-]{0,62}$/;

/**
 * Reads the certificates of this process and looks every two seconds whether their files have changed. New ones
 * count for new connections; those that stand go on. Files that cannot be used leave the former ones in force.
 * @throws {StartProblem} naming what cannot be used
 */
export async function openTls({ config, log, checkEveryMs = 2_000 }: TlsParts): Promise<Tls> {
  const { TLS_CERT_FILE: cert, TLS_KEY_FILE: key, TLS_PAIRS_DIR: folder, TLS_CLIENT_CA_FILE: ca } = config;
  const own = cert === undefined || key === undefined ? undefined : pairSource('TLS_CERT_FILE', cert, key);
  const authorities = ca === undefined ? undefined : authoritySource(ca);
  const named = new Map<string, Source<TlsPair>>();
  const ports = new Set<Port>();
  const listeners: (() => void)[] = [];

  const contextOf = ({ source, asksClients }: Omit<Port, 'server'>) =>
    contextFor(source.value, asksClients ? authorities?.value : undefined);

  const renewPortsOf = (source: Source<TlsPair>, isDue: (port: Port) => boolean): void => {
    for (const port of ports) {
      if (port.source === source && isDue(port)) port.server.setSecureContext(contextOf(port));
    }
  };

  const sources = () => [...(own === undefined ? [] : [own]), ...named.values()];

  const check = async (): Promise<void> => {
    const hasNewAuthorities = authorities !== undefined && (await load(authorities, log));
    if (hasNewAuthorities) log.info('Authorities of client certificates were read anew', { name: authorities.name });
    for (const source of sources()) {
      const wasBroken = source.value === undefined;
      const isNew = await load(source, log);
      if (isNew) log.info('A certificate was read anew', { name: source.name, ends_at: firstEndOf(source.value) });
      renewPortsOf(source, (port) => isNew || (hasNewAuthorities && port.asksClients));
      if (isNew && wasBroken) for (const listener of listeners) listener();
    }
  };

  const findSource = async (pair: string): Promise<Source<TlsPair>> => {
    const source = named.get(pair) ?? namedPairSource(folder, pair);
    named.set(pair, source);
    return loadOrThrow(source, log);
  };

  for (const source of [own, authorities]) await loadFirstOrThrow(source, log);
  const checks = runEvery(check, {
    intervalMs: checkEveryMs,
    later: true,
    onFault: (error) => void log.warn('Certificates could not be looked at', { problem: problemText(error) }),
  });

  const prepare = async ({ pair, asksClients = false }: PortTls): Promise<CreateServer> => {
    const source = typeof pair === 'string' ? await findSource(pair) : own;
    if (source === undefined) return createClearServer;
    const asks = asksClients && authorities !== undefined;
    return (options, listener) => {
      const settings = { ...serverOptions(options, asks), ...contextOf({ source, asksClients: asks }) };
      const server = createTlsServer(settings, listener);
      const port: Port = { server, source, asksClients: asks };
      ports.add(port);
      server.once('close', () => ports.delete(port));
      return server;
    };
  };

  const used = () => [...sources(), ...(authorities === undefined ? [] : [authorities])];
  const ending: Tls['ending'] = (nowMs = Date.now()) =>
    used().flatMap(({ name, value }) => findEnding(name, value?.certificates ?? [], nowMs));

  return {
    enabled: own !== undefined,
    prepare,
    keepOnly(pairs) {
      for (const name of named.keys()) if (!pairs.has(name)) named.delete(name);
    },
    onMended: (listener) => void listeners.push(listener),
    ending,
    problems: (nowMs) => [...used().flatMap(describeProblem), ...ending(nowMs).map(describeEnding)],
    [Symbol.asyncDispose]: () => checks[Symbol.asyncDispose](),
  };
}

/** Of servers that say nothing else. */
const handshakeMs = 10_000;

const serverOptions = (options: Parameters<CreateServer>[0], asksClients: boolean) => ({
  ...options,
  handshakeTimeout: options.headersTimeout ?? handshakeMs,
  // Who has no certificate, or no good one, may have a key. The pipeline decides.
  ...(asksClients && { requestCert: true, rejectUnauthorized: false }),
});

const contextFor = (pair: TlsPair | undefined, authorities: Authorities | undefined): SecureContextOptions => ({
  ...tlsOptions,
  cert: pair?.cert,
  key: pair?.key,
  ...(authorities !== undefined && { ca: authorities.pem }),
});

/** Reads the files of a source when they changed. @returns whether it has a new value */
async function load(source: Source<TlsPair> | Source<Authorities>, log: Logger): Promise<boolean> {
  const stamp = await stampFiles(source.paths);
  if (stamp === source.stamp && source.problem === undefined) return false;
  try {
    source.value = source.parse(await readFilesOrThrow(source.paths));
    source.problem = undefined;
  } catch (error) {
    const problem = problemText(error);
    // Between writing a certificate and its key they do not fit: told when it is so at two looks.
    if (problem === source.problem && problem !== source.toldProblem && source.value !== undefined) {
      const { name } = source;
      log.warn('Certificates that changed cannot be used; the former ones stay in force', { name, problem });
      source.toldProblem = problem;
    }
    source.problem = problem;
    return false;
  }
  source.toldProblem = undefined;
  source.stamp = stamp;
  return true;
}

async function loadOrThrow(source: Source<TlsPair>, log: Logger): Promise<Source<TlsPair>> {
  await load(source, log);
  if (source.value === undefined) throw new Error(`${source.name}: ${source.problem}`);
  return source;
}

async function loadFirstOrThrow(source: Source<TlsPair> | Source<Authorities> | undefined, log: Logger) {
  if (source === undefined) return;
  await load(source, log);
  if (source.problem !== undefined) throw new StartProblem(`${source.name}: ${source.problem}.`);
}

const describeProblem = ({ name, problem }: Pick<Source<unknown>, 'name' | 'problem'>): string[] =>
  problem === undefined ? [] : [`tls: ${name}: ${problem}`];

const describeEnding = ({ name, subject, endsAt, daysLeft }: ReturnType<Tls['ending']>[number]): string =>
  `tls: ${name}: ${subject} ${daysLeft < 0 ? 'ended' : 'ends'} on ${endsAt.toISOString().slice(0, 10)}`;

function namedPairSource(folder: string | undefined, pair: string): Source<TlsPair> {
  if (folder === undefined) throw new Error(`The TLS pair ${JSON.stringify(pair)} needs TLS_PAIRS_DIR to be set`);
  if (!pairName.test(pair)) throw new Error(`${JSON.stringify(pair)} is no name of a TLS pair`);
  return pairSource(`TLS pair ${pair}`, join(folder, pair, 'tls.crt'), join(folder, pair, 'tls.key'));
}

const pairSource = (name: string, cert: string, key: string): Source<TlsPair> => ({
  name,
  paths: [cert, key],
  parse: ([certText = '', keyText = '']) => {
    try {
      return parseTlsPairOrThrow(certText, keyText);
    } catch (error) {
      throw new Error(`the certificate in ${cert} ${problemText(error)} (${key})`, { cause: error });
    }
  },
  stamp: '',
  value: undefined,
  problem: undefined,
  toldProblem: undefined,
});

const authoritySource = (path: string): Source<Authorities> => ({
  name: 'TLS_CLIENT_CA_FILE',
  paths: [path],
  parse: ([pem = '']) => {
    try {
      return { pem, certificates: parseAuthoritiesOrThrow(pem) };
    } catch (error) {
      throw new Error(`the certificate in ${path} ${problemText(error)}`, { cause: error });
    }
  },
  stamp: '',
  value: undefined,
  problem: undefined,
  toldProblem: undefined,
});

const firstEndOf = (pair: TlsPair | undefined): string | undefined =>
  pair?.certificates.reduce((first, { endsAt }) => (endsAt < first ? endsAt : first), new Date(8.64e15)).toISOString();
