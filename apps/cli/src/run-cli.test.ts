import { expect, test } from '@jest/globals';
import { ScratchFolder } from '../test/scratch-folder.ts';

test('without parameters, or asked for help, it tells what there is', async () => {
  using folder = new ScratchFolder();
  for (const parameters of [[], ['--help'], ['help']]) {
    const { code, said } = await folder.run(...parameters);
    expect([code, said]).toEqual([0, expect.stringContaining('portcullis skill scan')]);
  }
  const { code, said } = await folder.run('skill', 'scan', '--help');
  expect([code, said]).toEqual([0, expect.stringContaining('--fail-on low|medium|high|critical|never')]);
});

test.each([
  ['an unknown command', ['skills', 'scan'], 'There is no command "skills scan"'],
  ['no path', ['skill', 'scan'], 'Which skill?'],
  ['an unknown option', ['skill', 'scan', '.', '--deep'], "'--deep'"],
  ['an unknown format', ['skill', 'scan', '.', '--format', 'xml'], '--format takes table, json, sarif; this is "xml"'],
  ['an unknown level', ['skill', 'scan', '.', '--fail-on', 'grave'], '--fail-on takes low, medium'],
  ['rules of a path', ['skill', 'scan', '.', '--rules'], '--rules takes no path'],
])('%s ends with 2 and says why', async (_what, parameters, why) => {
  using folder = new ScratchFolder();
  const { code, said, warnings } = await folder.run(...parameters);
  expect([code, said]).toEqual([2, '']);
  expect(warnings).toContain(why);
});
