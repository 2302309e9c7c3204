import { expect, test } from '@jest/globals';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageOfSource } from '@portcullis/core/skills/package/read-package';
import { hostile, ScratchFolder } from '../../test/scratch-folder.ts';
import { openScanner } from './open-scanner.ts';

const skill = packageOfSource(hostile);

test('what was found out of the rules is kept, and a scan says the same with it, without it and with a damaged file', async () => {
  using folder = new ScratchFolder();
  const file = join(folder.path, 'deep/analyses');
  const assessment = (await openScanner(file)).scan(skill);
  expect(assessment.level).toBe('High');
  expect(existsSync(file)).toBe(true);
  expect((await openScanner(file)).scan(skill)).toEqual(assessment);
  writeFileSync(file, readFileSync(file).subarray(0, 5_000));
  expect((await openScanner(file)).scan(skill)).toEqual(assessment);
  expect((await openScanner(join(file, 'no folder'))).scan(skill)).toEqual(assessment);
});
