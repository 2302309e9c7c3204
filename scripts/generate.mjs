import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

// Runs every generator, scripts/generate-*.ts. With --check they compare instead of writing.

const scripts = import.meta.dirname;
const generators = readdirSync(scripts).filter((name) => /^generate-.*(?<!\.test)\.ts$/.test(name));

let failed = 0;
for (const generator of generators) {
  const { status } = spawnSync(process.execPath, [join(scripts, generator), ...process.argv.slice(2)], {
    cwd: dirname(scripts),
    stdio: 'inherit',
  });
  if (status !== 0) {
    console.error(`${generator} failed`);
    failed += 1;
  }
}
process.exitCode = failed === 0 ? 0 : 1;
