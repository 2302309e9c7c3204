import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { unpackPackage } from '../package-cache.ts';

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
  /** One of another maker, whose tokens are pieces of programs as much as of words; tables are trained with it, too. */
  claude: {
    name: '@anthropic-ai/tokenizer',
    version: '0.0.4',
    file: 'claude.json',
    read: (text) =>
      (JSON.parse(text) as { bpe_ranks: string }).bpe_ranks
        .split('\n')
        .flatMap((line) => line.split(' ').slice(2).map(fromBase64)),
  },
  /** One of a third maker, that tables are measured with. */
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
  const folder = unpackPackage(name, version);
  if (typeof folder !== 'string') return folder;
  return read(readFileSync(join(folder, file), 'utf8')).filter(isTypeable);
}
