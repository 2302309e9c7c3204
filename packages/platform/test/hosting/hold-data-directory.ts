// Started by data-directory.test.ts: holds a data directory until it is killed.
import { openDataDirectory } from '../../src/process/data-directory.ts';

const [path = '', name = ''] = process.argv.slice(2);
try {
  await openDataDirectory(path, name);
  process.stdout.write('held\n');
  setInterval(() => undefined, 60_000);
} catch (error) {
  process.stdout.write(`${String(error)}\n`);
  process.exitCode = 1;
}
