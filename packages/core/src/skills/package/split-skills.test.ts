import { expect, test } from '@jest/globals';
import { splitSkills } from './split-skills.ts';

const split = (...paths: readonly string[]) =>
  splitSkills(paths.map((path) => ({ path, bytes: new Uint8Array() }))).map(
    ({ folder, files }) => `${folder}: ${files.map(({ path }) => path).join(' ')}`,
  );

test('each folder with a SKILL.md is a skill, and the rest is one package', () => {
  expect(split('SKILL.md', 'scripts/a.py', 'examples/b/SKILL.md')).toEqual([
    ': SKILL.md scripts/a.py examples/b/SKILL.md',
  ]);
  expect(split('README.md', 'tests/a/SKILL.md', 'tests/a/x/y.sh', 'b/skill.md', 'bb/c.sh')).toEqual([
    ': README.md bb/c.sh',
    'b: skill.md',
    'tests/a: SKILL.md x/y.sh',
  ]);
  expect(split('a/SKILL.md', 'a/inner/SKILL.md')).toEqual(['a: SKILL.md inner/SKILL.md']);
  expect(split('a.sh')).toEqual([': a.sh']);
});
