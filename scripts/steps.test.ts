import { describe, expect, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Runs steps in a process of its own, each given as JavaScript for Node, and answers what it printed. */
async function runSteps(steps: Record<string, string>, before = ''): Promise<string[]> {
  const given = Object.entries(steps).map(([name, source]) => ({ name, command: [process.execPath, '-e', source] }));
  const source = `
    import { runSteps } from './scripts/steps.mjs';
    const controller = new AbortController();
    ${before}
    console.log(JSON.stringify(await runSteps(${JSON.stringify(given)}, controller.signal)));`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', source]);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await once(child, 'close');
  return output
    .trimEnd()
    .replaceAll(/\d+\.\d s/g, 'N s')
    .split('\n');
}

describe('the steps of npm test', () => {
  test('print their durations, and the output only of those that fail', async () => {
    expect(
      await runSteps({
        fine: 'console.log("chatter")',
        careful: 'console.log("skipped: there is no network")',
        broken: 'console.log("to stdout"); console.error("to stderr"); process.exitCode = 3',
        last: '',
      }),
    ).toEqual([
      '✓ fine             N s',
      '✓ careful          N s',
      'skipped: there is no network',
      '✗ broken           N s',
      'to stdout',
      'to stderr',
      '✓ last             N s',
      '{"passed":3,"failed":1}',
    ]);
  });

  test('fail when they cannot be started or are killed', async () => {
    expect(await runSteps({ killed: 'process.kill(process.pid, "SIGKILL")' })).toEqual([
      '✗ killed           N s',
      '',
      '{"passed":0,"failed":1}',
    ]);
  });

  test('stop at an interruption', async () => {
    const output = await runSteps(
      { endless: 'setInterval(() => undefined, 60000)', never: 'console.log("never")' },
      'setTimeout(() => controller.abort(), 100);',
    );
    expect(output).toContain('{"passed":0,"failed":1}');
    expect(output.join('\n')).not.toContain('never');
  });
});
