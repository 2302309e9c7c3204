import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Sample } from '../sample.ts';
import { seeded } from '../corpus/seeded.ts';
import { unpackPackage } from '../package-cache.ts';

/*
 * Harmless texts of packages of pinned versions under permissive licences: notes for agents, documentation, programs, declarations,
 * licences, and the messages of a compiler in thirteen languages. They are read while a table is trained; nothing of them
 * is kept but weights of hashed words.
 */

export interface Source {
  readonly name: string;
  readonly version: string;
  readonly files: string;
  /** A file is read in pieces, and only its beginning. */
  readonly mostPieces: number;
}

const sources: readonly Source[] = [
  { name: 'bmad-method', version: '6.12.0', files: '**/*.md', mostPieces: 4 },
  { name: 'agentic-vault', version: '1.8.0', files: '**/*.md', mostPieces: 4 },
  { name: 'ai', version: '7.0.173', files: 'docs/**/*.mdx', mostPieces: 4 },
  { name: 'fastify', version: '5.2.1', files: '**/*.{md,js,d.ts}', mostPieces: 2 },
  { name: 'undici', version: '7.3.0', files: '**/*.{md,js,d.ts}', mostPieces: 2 },
  { name: 'npm', version: '10.9.2', files: '**/{*.md,LICENSE,LICENSE.md,LICENCE}', mostPieces: 2 },
  { name: 'typescript', version: '5.8.3', files: 'lib/lib.*.d.ts', mostPieces: 6 },
];

const piece = 1_500;

const compiler = ['typescript', '5.8.3'] as const;
const textsOfLanguage = 60;
const messagesOfText = 7;

export const folderOf = (name: string, version: string): string => {
  const folder = unpackPackage(name, version);
  if (typeof folder !== 'string') throw new Error(folder.problem);
  return folder;
};

export const sampleOf = (file: string, category: string, id: string, text: string): Sample => ({
  id,
  text,
  label: 'benign',
  category,
  file,
  channel: 'tool',
});

export function piecesOf({ name, version, files, mostPieces }: Source): readonly Sample[] {
  const folder = folderOf(name, version);
  return globSync(files, { cwd: folder })
    .toSorted()
    .flatMap((path) => {
      const text = readFileSync(join(folder, path), 'utf8');
      return Array.from({ length: Math.min(mostPieces, Math.ceil(text.length / piece)) }, (_, at) =>
        sampleOf(`${name} ${version}`, 'documents', `${name}/${path}-${at}`, text.slice(at * piece, (at + 1) * piece)),
      );
    });
}

/** What a compiler says, in thirteen languages: some messages one after the other. */
export function messages(): readonly Sample[] {
  const [name, version] = compiler;
  const folder = folderOf(name, version);
  const dice = seeded(79);
  return globSync('lib/*/diagnosticMessages.generated.json', { cwd: folder })
    .toSorted()
    .flatMap((path) => {
      const sentences = Object.values(JSON.parse(readFileSync(join(folder, path), 'utf8')) as Record<string, string>);
      return Array.from({ length: textsOfLanguage }, (_, at) => {
        const text = Array.from({ length: messagesOfText }, () => dice.pick(sentences)).join(' ');
        return sampleOf(`messages of ${name} ${version}`, 'messages', `${path}-${at}`, text);
      });
    });
}

export const pinnedTexts = (): readonly Sample[] => [...sources.flatMap(piecesOf), ...messages()];
