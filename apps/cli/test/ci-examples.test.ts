import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { startEvaluatedEndpoint } from '@portcullis/testkit/evaluated-endpoint';
import { ScratchFolder } from './scratch-folder.ts';

const root = join(import.meta.dirname, '../../..');
const guide = readFileSync(join(root, 'docs/guardrails-evaluation.md'), 'utf8');
const lines = [...guide.matchAll(/^ *- (?:run: )?(npx portcullis eval run .*)$/gm)].map(([, line = '']) => line);

test.each(lines)(
  'the line of a CI runs as it stands: %s',
  async (line) => {
    await using endpoint = await startEvaluatedEndpoint('strict', 'the-key');
    using folder = new ScratchFolder();
    const command = line.replace('npx portcullis', `"${process.execPath}" "${join(root, 'scripts/portcullis.mjs')}"`);
    const env = { PATH: process.env['PATH'], ENDPOINT: endpoint.url, MODEL: 'm', EVAL_API_KEY: 'the-key' };
    const { stdout } = await promisify(execFile)('sh', ['-c', command], { cwd: folder.path, env });
    expect(stdout).toContain(': excellent\n');
    const [, file = ''] = /--(?:sarif|junit) (\S+)/.exec(line) ?? [];
    expect(readFileSync(join(folder.path, file), 'utf8').length).toBeGreaterThan(100);
  },
  120_000,
);

test('both examples have a line', () => expect(lines).toHaveLength(2));
