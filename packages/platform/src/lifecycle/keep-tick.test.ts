import { expect, test } from '@jest/globals';
import { startScript } from '../../test/lifecycle/start-script.ts';

test('V8 knows the shape of ticks however often all is collected', async () => {
  expect(await startScript('collect-ticks.ts').ended).toMatchObject({ code: 0, stdout: 'MONOMORPHIC\n', stderr: '' });
});
