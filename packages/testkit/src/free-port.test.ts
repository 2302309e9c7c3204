import { expect, test } from '@jest/globals';
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from './free-port.ts';

const claim = (port: number, pid: number): void =>
  writeFileSync(join(tmpdir(), 'portcullis-test-ports', String(port)), String(pid));
/** No system has a process of that number. */
const gone = 999_999_999;

test.each([
  ['another process that lives is left alone', process.ppid, false],
  ['a process that is gone is given again', gone, true],
])('a free port of %s', async (_what, pid, isGiven) => {
  // Behind the last of this process' ports comes the first.
  let port = await findFreePort();
  while (port % 5_000 > 4_990) port = await findFreePort();
  claim(port + 1, pid);
  expect((await findFreePort()) === port + 1).toBe(isGiven);
});
