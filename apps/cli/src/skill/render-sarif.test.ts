import { expect, test } from '@jest/globals';
import { Ajv } from 'ajv';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeArchive } from '@portcullis/core/skills/archive/write-archive';
import { harmless, hostile, ScratchFolder, thief } from '../../test/scratch-folder.ts';

const schema = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../test/sarif-2.1.0.schema.json'), 'utf8'),
) as object;
const isSarif = new Ajv({ strict: false, validateFormats: false, allErrors: true, unicodeRegExp: false }).compile(
  schema,
);

interface Log {
  readonly runs: readonly [
    {
      readonly tool: { readonly driver: { readonly rules: readonly { readonly id: string }[] } };
      readonly results: readonly {
        readonly ruleId: string;
        readonly ruleIndex: number;
        readonly partialFingerprints: object;
        readonly locations: readonly [
          {
            readonly physicalLocation: { readonly artifactLocation: { readonly uri: string }; readonly region: object };
          },
        ];
      }[];
    },
  ];
}

async function render(folder: ScratchFolder, ...paths: readonly string[]): Promise<Log> {
  const { said } = await folder.run('skill', 'scan', '--format', 'sarif', ...paths);
  const log = JSON.parse(said) as Log;
  isSarif(log);
  expect(isSarif.errors ?? []).toEqual([]);
  return log;
}

test('the schema refuses what is no SARIF', () => {
  expect(isSarif({ version: '2.1.0', runs: [{ results: [] }] })).toBe(false);
});

test('findings stand at their line of their file, with their rule', async () => {
  using folder = new ScratchFolder({ 'my skills/tool/SKILL.md': hostile, 'my skills/tool/run.py': thief });
  const [{ tool, results }] = (await render(folder, 'my skills')).runs;
  expect(results.map(({ ruleId, locations }) => [ruleId, locations[0].physicalLocation])).toEqual(
    expect.arrayContaining([
      ['RCE-01', { artifactLocation: { uri: 'my%20skills/tool/SKILL.md' }, region: { startLine: 7 } }],
      ['EXF-02', { artifactLocation: { uri: 'my%20skills/tool/run.py' }, region: { startLine: 3 } }],
    ]),
  );
  for (const { ruleId, ruleIndex } of results) expect(tool.driver.rules[ruleIndex]?.id).toBe(ruleId);
});

test('findings in archives stand at the archive', async () => {
  const archive = writeArchive([{ path: 'SKILL.md', bytes: new TextEncoder().encode(hostile) }]);
  using folder = new ScratchFolder({ 'tool.zip': archive, 'words/SKILL.md': harmless, 'words/more.docx': archive });
  const [{ results }] = (await render(folder, 'tool.zip', 'words')).runs;
  expect(results.map(({ locations }) => locations[0].physicalLocation)).toEqual([
    { artifactLocation: { uri: 'tool.zip' }, region: { startLine: 1 } },
    { artifactLocation: { uri: 'words/more.docx' }, region: { startLine: 1 } },
  ]);
});

test('what is not read and what is refused is told, also where there are no findings', async () => {
  using folder = new ScratchFolder({
    'words/SKILL.md': harmless,
    'words/a.dat': '\0\u0001\u0002\u0003\u0004',
    'broken.zip': 'PK',
  });
  expect((await render(folder, 'words', 'broken.zip')).runs[0]).toMatchObject({
    results: [],
    invocations: [
      { executionSuccessful: false, toolExecutionNotifications: [{ level: 'warning' }, { level: 'error' }] },
    ],
  });
});

test('a finding is known again when lines come before it', async () => {
  using folder = new ScratchFolder({ 'SKILL.md': hostile });
  const printsOf = async () => (await render(folder, '.')).runs[0].results.map((one) => one.partialFingerprints);
  const before = await printsOf();
  folder.write('SKILL.md', hostile.replace('# Tool', '# Tool\n\nMore text.\n'));
  expect(await printsOf()).toEqual(before);
});
