import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../..');

/** A fenced block of a guide. */
export interface GuideBlock {
  /** File, relative to the repository. */
  readonly guide: string;
  readonly language: string;
  readonly code: string;
}

export interface Guide {
  readonly name: string;
  readonly blocks: readonly GuideBlock[];
  /** What stands between the blocks. */
  readonly prose: string;
}

const fence = /^```(\w*)\n([\s\S]*?)^```$/gm;

/** The README, which the others go on from, then the guides by name. */
export function readGuides(): readonly Guide[] {
  const names = ['README.md', ...globSync('docs/{,integrations/}*.md', { cwd: root }).sort()];
  return names.map((name) => {
    const text = readFileSync(join(root, name), 'utf8');
    const blocks = [...text.matchAll(fence)].map(([, language = '', code = '']) => ({ guide: name, language, code }));
    return { name, blocks, prose: text.replaceAll(fence, '') };
  });
}

/** How many calls of a gateway a block makes. */
export const countCalls = ({ code }: GuideBlock): number =>
  code.replaceAll(/^(?:#|api\(\)).*$/gm, '').match(/(?:^|\$\()(?:api [A-Z]|curl )/gm)?.length ?? 0;

/** Whether a block scans skills, which needs no gateway. */
export const scansSkills = ({ code }: GuideBlock): boolean => /^node scripts\/portcullis\.mjs /m.test(code);

/** Statuses other than success that comments of the block name, in their order. */
export const expectedRefusals = ({ code }: GuideBlock): readonly number[] =>
  (code.match(/^#.*$/gm) ?? []).flatMap((comment) => comment.match(/\b4\d\d\b/g) ?? []).map(Number);

/** Why the block is not run, as its first line says. */
export const findMark = ({ code }: GuideBlock): string | undefined =>
  /^(?:#|\/\/) not run by the tests: (.+)\n/.exec(code)?.[1];
