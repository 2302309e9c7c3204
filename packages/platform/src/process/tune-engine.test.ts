import { expect, test } from '@jest/globals';
import { startScript } from '../../test/hosting/start-script.ts';
import { measuredOnNode } from './tune-engine.ts';

const majorOf = (version: string): number => Number.parseInt(version, 10);

test('what V8 is told was measured on the Node that runs', () => {
  expect(majorOf(measuredOnNode)).toBe(majorOf(process.versions.node));
});

test('V8 knows the shape of ticks however often all is collected', async () => {
  expect(await startScript('collect-ticks.ts').ended).toMatchObject({ code: 0, stdout: 'MONOMORPHIC\n', stderr: '' });
});
