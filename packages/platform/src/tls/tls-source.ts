import { join } from 'node:path';
import { problemText } from '../errors/problem.ts';
import { StartProblem } from '../errors/start-problem.ts';
import type { Logger } from '../log/logger.ts';
import { parseAuthoritiesOrThrow, parseTlsPairOrThrow, type CertificateFacts, type TlsPair } from './tls-pair.ts';
import { readFilesOrThrow, stampFiles } from './watched-files.ts';

/** Something that is read from files and can change while it is used. */
export interface TlsSource<Value> {
  /** For people: the variable or the pair that names the files. */
  readonly name: string;
  readonly paths: readonly string[];
  readonly parse: (texts: readonly string[]) => Value;
  /** Of the files that were read last, good or not. */
  stamp: string;
  value: Value | undefined;
  /** Why the files that are there now are not in use. */
  problem: string | undefined;
  /** The last of them that was logged. */
  toldProblem: string | undefined;
}

export interface Authorities {
  readonly pem: string;
  readonly certificates: readonly CertificateFacts[];
}

const pairName = /^[a-z0-9][a-z0-9_-]{0,62}$/;

/** Reads the files of a source when they changed. @returns whether it has a new value */
export async function load(source: TlsSource<TlsPair> | TlsSource<Authorities>, log: Logger): Promise<boolean> {
  const stamp = await stampFiles(source.paths);
  if (stamp === source.stamp && source.problem === undefined) return false;
  try {
    source.value = source.parse(await readFilesOrThrow(source.paths));
    source.problem = undefined;
  } catch (error) {
    const problem = problemText(error);
    // Between writing a certificate and its key they do not fit: reported when it is so at two looks.
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

export async function loadOrThrow(source: TlsSource<TlsPair>, log: Logger): Promise<TlsSource<TlsPair>> {
  await load(source, log);
  if (source.value === undefined) throw new Error(`${source.name}: ${source.problem}`);
  return source;
}

export async function loadFirstOrThrow(source: TlsSource<TlsPair> | TlsSource<Authorities> | undefined, log: Logger) {
  if (source === undefined) return;
  await load(source, log);
  if (source.problem !== undefined) throw new StartProblem(`${source.name}: ${source.problem}.`);
}

export function namedPairSource(folder: string | undefined, pair: string): TlsSource<TlsPair> {
  if (folder === undefined) throw new Error(`The TLS pair ${JSON.stringify(pair)} needs TLS_PAIRS_DIR to be set`);
  if (!pairName.test(pair)) throw new Error(`${JSON.stringify(pair)} is no name of a TLS pair`);
  return pairSource(`TLS pair ${pair}`, join(folder, pair, 'tls.crt'), join(folder, pair, 'tls.key'));
}

export const pairSource = (name: string, cert: string, key: string): TlsSource<TlsPair> => ({
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

export const authoritySource = (path: string): TlsSource<Authorities> => ({
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
