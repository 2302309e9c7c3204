import { afterEach, describe, expect, test } from '@jest/globals';
import { killScripts, startScript, type Script } from '../../test/hosting/start-script.ts';

const scripts: Script[] = [];
afterEach(() => killScripts(scripts));

function start(...parameters: string[]): Script {
  const script = startScript('process-with-end.ts', parameters);
  scripts.push(script);
  return script;
}

describe('the end of a process', () => {
  test.each(['SIGINT', 'SIGTERM'] as const)('%s drains and ends with 0', async (signal) => {
    const { child, said, ended } = start('drains');
    await said(/up/);
    child.kill(signal);
    expect(await ended).toEqual({ code: 0, signal: null, stdout: 'up\nstopping\n', stderr: '' });
  });

  test('the same signal from the terminal and from npm is one wish', async () => {
    const { child, said, ended } = start('drains');
    await said(/up/);
    child.kill('SIGINT');
    child.kill('SIGINT');
    expect(await ended).toMatchObject({ code: 0, stdout: 'up\nstopping\n' });
  });

  test('a second signal ends it at once', async () => {
    const { child, said, ended } = start('hangs', '600000');
    await said(/up/);
    child.kill('SIGINT');
    await said(/stopping/);
    // Repeated, since the first ones may come close enough to pass for one wish.
    const again = setInterval(() => child.kill('SIGINT'), 100);
    const { code, stderr } = await ended;
    clearInterval(again);
    expect(code).toBe(130);
    expect(stderr).not.toContain('too long');
  });

  test('a stop that hangs is broken off and fails', async () => {
    const { child, said, ended } = start('hangs');
    await said(/up/);
    child.kill('SIGTERM');
    expect(await ended).toMatchObject({ code: 1, stderr: expect.stringContaining('Stopping took too long') });
  });

  test('a forgotten handle does not keep it open', async () => {
    const { child, said, ended } = start('lingers');
    await said(/up/);
    child.kill('SIGTERM');
    expect(await ended).toMatchObject({ code: 0, stderr: expect.stringMatching(/keeps the process open.*Timeout/) });
  });

  test.each(['throws', 'rejects'])(
    'a fault that is not caught (%s) is logged, drains and ends with 1',
    async (fault) => {
      const { code, stdout, stderr } = await start(fault).ended;
      expect(code).toBe(1);
      expect(stdout).toBe('up\nstopping\n');
      expect(stderr).toContain('a fault of the test');
    },
  );
});
