import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { startEvaluatedEndpoint } from '@portcullis/testkit/evaluated-endpoint';
import { ScratchFolder } from './scratch-folder.ts';

const root = join(import.meta.dirname, '../../..');
const guide = readFileSync(join(root, 'docs/guardrails-evaluation.md'), 'utf8');
const lines = [...guide.matchAll(/^ *- (?:run: )?(node scripts\/portcullis\.mjs eval run .*)$/gm)].map(
  ([, line = '']) => line,
);

test.each(lines)(
  'the line of a CI runs as it stands: %s',
  async (line) => {
    await using endpoint = await startEvaluatedEndpoint('strict', 'the-key');
    using folder = new ScratchFolder();
    const command = line.replace(
      'node scripts/portcullis.mjs',
      `"${process.execPath}" "${join(root, 'scripts/portcullis.mjs')}"`,
    );
    const env = { PATH: process.env['PATH'], ENDPOINT: endpoint.url, MODEL: 'm', EVAL_API_KEY: 'the-key' };
    const { stdout } = await promisify(execFile)('sh', ['-c', command], { cwd: folder.path, env });
    expect(stdout).toContain(': excellent\n');
    const [, file = ''] = /--(?:sarif|junit) (\S+)/.exec(line) ?? [];
    expect(readFileSync(join(folder.path, file), 'utf8').length).toBeGreaterThan(100);
  },
  120_000,
);

test('both examples have a line', () => expect(lines).toHaveLength(2));

describe('a pull request that changes a policy', () => {
  const policies = readFileSync(join(root, 'docs/policies.md'), 'utf8');
  const steps = [
    ...policies.matchAll(/^ *- (?:run: )?((?:git fetch|node scripts\/portcullis\.mjs eval policy) .*)$/gm),
  ].map(([, line = '']) => line);
  const ways = [steps.slice(0, 2), steps.slice(2)];
  const place = 'docs/examples/internal-hosts';
  const run = promisify(execFile);

  /** A repository with a branch `main` at its origin, and in the checkout what a pull request makes of the policy. */
  async function checkOut(folder: ScratchFolder, change: (policy: string) => string): Promise<void> {
    for (const ending of ['json', 'jsonl'])
      folder.write(`origin/${place}.${ending}`, readFileSync(join(root, `${place}.${ending}`)));
    const git = (...parameters: readonly string[]) =>
      run('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...parameters], { cwd: folder.path });
    await git('init', '-q', '-b', 'main', 'origin');
    await git('-C', 'origin', 'add', '.');
    await git('-C', 'origin', 'commit', '-qm', 'Add a policy');
    await git('clone', '-q', 'origin', 'checkout');
    folder.write(`checkout/${place}.json`, change(readFileSync(join(root, `${place}.json`), 'utf8')));
  }

  async function runSteps(folder: ScratchFolder, lines: readonly string[]) {
    const command = lines
      .join(' && ')
      .replace('node scripts/portcullis.mjs', `"${process.execPath}" "${join(root, 'scripts/portcullis.mjs')}"`);
    const env = {
      PATH: process.env['PATH'],
      HOME: folder.path,
      GITHUB_BASE_REF: 'main',
      CI_MERGE_REQUEST_TARGET_BRANCH_NAME: 'main',
    };
    const cwd = join(folder.path, 'checkout');
    return run('sh', ['-c', command], { cwd, env }).then(
      ({ stdout }) => ({ code: 0, stdout }),
      (error: { code: number; stdout: string }) => error,
    );
  }

  test('both examples have their lines', () => expect(ways.map(({ length }) => length)).toEqual([2, 2]));

  test.each(ways)(
    'is gated by the lines as they stand: %s',
    async (...lines) => {
      using same = new ScratchFolder();
      await checkOut(same, (policy) => policy);
      expect(await runSteps(same, lines)).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/samples +8 +3 .* 100\.0 % +100\.0 % +0\.0 %/),
      });
      using worse = new ScratchFolder();
      await checkOut(worse, (policy) => policy.replace('"send_mail"', '"send_fax"'));
      expect(await runSteps(worse, lines)).toMatchObject({
        code: 1,
        stdout: expect.stringContaining('new-misses: 1 (samples/mail)'),
      });
    },
    120_000,
  );
});
