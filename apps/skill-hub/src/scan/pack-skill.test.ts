import { expect, test } from '@jest/globals';
import { hash } from 'node:crypto';
import { parseArchive } from '@portcullis/core/skills/archive/parse-archive';
import { packSkill } from './pack-skill.ts';

const file = (path: string, text: string) => ({ path, bytes: Buffer.from(text) });

test('the same files make the same package, and each change another one', () => {
  const files = [file('a/SKILL.md', '# A'), file('a/run.sh', 'date')];
  const packed = packSkill(files);
  const again = packSkill(parseArchive(packed.archive).files ?? []);
  expect(again).toEqual(packed);
  expect(hash('sha256', packed.archive)).toBe(packed.sha256);
  for (const changed of [
    [file('a/SKILL.md', '# A'), file('a/run.sh', 'date\n')],
    [file('a/SKILL.md', '# A'), file('b/run.sh', 'date')],
    [file('a/SKILL.md', '# A')],
  ]) {
    expect(packSkill(changed).treeHash).not.toBe(packed.treeHash);
  }
});

test('the SKILL.md and the skill.json that are nearest to the root are those of the package', () => {
  const packed = packSkill([
    file('pdf/SKILL.md', '# PDF'),
    file('pdf/examples/SKILL.md', '# Example'),
    file('pdf/skill.json', '{}'),
  ]);
  expect(packed).toMatchObject({ source: '# PDF', manifest: '{}' });
  expect(packSkill([{ path: 'SKILL.md', bytes: Buffer.from([0xff, 0xfe, 0]) }]).source).toBeUndefined();
});
