import { expect, test } from '@jest/globals';
import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { openPackage } from '@portcullis/core/skills/archive/open-archives';
import { harmless, ScratchFolder } from '../../test/scratch-folder.ts';

const pack = (folder: ScratchFolder, ...parameters: readonly string[]) => folder.run('skill', 'pack', ...parameters);

test('a folder is packed into the same archive each time, and the archive is a package', async () => {
  using folder = new ScratchFolder({ 'words/SKILL.md': harmless, 'words/.git/config': '', 'words/a/b.txt': 'c' });
  const { code, said } = await pack(folder, 'words', '--output', 'words.zip');
  expect([code, said]).toEqual([0, expect.stringMatching(/^[0-9a-f]{64} {2}words\.zip\n$/)]);
  expect((await pack(folder, 'words', '-o', 'again.zip')).said).toBe(said.replace('words.zip', 'again.zip'));
  const { files } = openPackage(readFileSync(join(folder.path, 'words.zip')));
  expect(files?.map(({ path }) => path)).toEqual(['SKILL.md', 'a/b.txt']);
});

test('what cannot be packed whole is not packed', async () => {
  using folder = new ScratchFolder({ 'words/SKILL.md': harmless, 'bad/a:b': '', 'twice/a.md': '', 'twice/A.md': '' });
  symlinkSync('SKILL.md', join(folder.path, 'words/linked.md'));
  expect(await pack(folder, 'words', '-o', 'a.zip')).toMatchObject({
    code: 3,
    warnings: 'words/linked.md: a symbolic link, which is not followed.\n',
  });
  expect(await pack(folder, 'bad', '-o', 'a.zip')).toMatchObject({
    code: 3,
    warnings: expect.stringContaining('a:b'),
  });
  expect((await pack(folder, 'twice', '-o', 'a.zip')).code).toBe(3);
  expect((await pack(folder, 'none', '-o', 'a.zip')).code).toBe(3);
  expect((await pack(folder, 'words')).code).toBe(2);
  expect((await pack(folder, '-o', 'a.zip')).code).toBe(2);
});
