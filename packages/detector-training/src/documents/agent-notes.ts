import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Sample } from '../sample.ts';
import { unpackPackage } from '../package-cache.ts';

/*
 * What people write to their agents: roles, rules, steps, what must never be done. Texts full of orders that are no attacks, of
 * packages under the MIT licence. They are read while a table is trained, and nothing of them is kept but weights of hashed words.
 */
const packages = [
  ['bmad-method', '6.12.0'],
  ['agentic-vault', '1.8.0'],
] as const;

/** A text is read in pieces of so many characters, and only its beginning. */
const piece = 1_500;
const mostPieces = 4;

export function agentNotes(): readonly Sample[] {
  return packages.flatMap(([name, version]) => {
    const folder = unpackPackage(name, version);
    if (typeof folder !== 'string') throw new Error(folder.problem);
    return globSync('**/*.md', { cwd: folder })
      .toSorted()
      .flatMap((path) => piecesOf(readFileSync(join(folder, path), 'utf8')).map((text, index) => ({ path, text, index })))
      .map(({ path, text, index }) => ({
        id: `${name}/${path}-${index}`,
        text,
        label: 'benign',
        category: 'notes for agents',
        file: `${name} ${version}`,
        channel: 'user',
      }));
  });
}

const piecesOf = (text: string): readonly string[] =>
  Array.from({ length: Math.min(mostPieces, Math.ceil(text.length / piece)) }, (_, at) =>
    text.slice(at * piece, (at + 1) * piece),
  );
