import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';

const root = dirname(import.meta.dirname);
const { status } = spawnSync(join(root, 'node_modules', '.bin', 'oxfmt'), process.argv.slice(2), {
  cwd: root,
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
