import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageCache, runInCache } from '../package-cache.ts';

/** The tokens of a model's tokeniser, which packages of the npm registry bring as data. */
interface Source {
  readonly name: string;
  readonly version: string;
  readonly file: string;
  readonly read: (text: string) => readonly string[];
}

const fromBase64 = (text: string): string => Buffer.from(text, 'base64').toString('utf8');

const sources = {
  /** The tokeniser that published searches for tails were run on; tables are trained with it. */
  llama: {
    name: 'llama-tokenizer-js',
    version: '1.2.2',
    file: 'llama-tokenizer.js',
    read: (text) =>
      fromBase64(/llama_vocab_base64 = "([^"]+)"/.exec(text)?.[1] ?? '')
        .split('\n')
        .map((token) => token.replaceAll('▁', ' ')),
  },
  /** Another one, of another maker, that tables are measured with. */
  cl100k: {
    name: 'gpt-tokenizer',
    version: '4.0.0',
    file: 'data/cl100k_base.tiktoken',
    read: (text) => text.split('\n').map((line) => fromBase64(line.split(' ')[0] ?? '')),
  },
} as const satisfies Record<string, Source>;

export type VocabularyName = keyof typeof sources;

/** Searches look among tokens that can be typed. */
const isTypeable = (token: string): boolean => /^[\n -~]+$/.test(token) && !/^<.+>$/.test(token);

/** The tokens in the order of their numbers, or what was said where the package cannot be had. */
export function loadVocabulary(vocabulary: VocabularyName): readonly string[] | { readonly problem: string } {
  const { name, version, file, read }: Source = sources[vocabulary];
  const folder = join(packageCache, `${name}-${version}`);
  const path = join(folder, 'package', file);
  if (!existsSync(path)) {
    const problem =
      runInCache('npm', ['pack', '--silent', `${name}@${version}`]) ??
      (mkdirSync(folder, { recursive: true }), runInCache('tar', ['xzf', `${name}-${version}.tgz`, '-C', folder]));
    if (problem !== undefined) return { problem };
  }
  return read(readFileSync(path, 'utf8')).filter(isTypeable);
}
