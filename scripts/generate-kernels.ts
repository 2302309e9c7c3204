import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { saveGenerated } from './generated-file.ts';

// Compiles packages/core/assembly/*.ts, which is AssemblyScript, to WebAssembly. Each file of that folder is a module and
// becomes a file of TypeScript with base64 in it, so that nothing has to be compiled or found when a process starts; what
// modules share stands in folders below.

const root = join(import.meta.dirname, '..');
const sources = 'packages/core/assembly';
const options = ['-O3', '--runtime', 'stub', '--noAssert', '--enable', 'simd'];
/** Characters of base64 in a line. */
const width = 114;

for (const name of readdirSync(join(root, sources)).flatMap((file) => /^([a-z-]+)\.ts$/.exec(file)?.[1] ?? [])) {
  const lines = compile(name).match(new RegExp(`.{1,${width}}`, 'g')) ?? [];
  saveGenerated(
    `packages/core/src/policy/kernel/${name}.wasm.ts`,
    `// Made from ${sources}/${name}.ts by "npm run generate".
export const ${name.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase())}Module =
${lines.map((line) => `  '${line}'`).join(' +\n')};
`,
  );
}

/** The module in base64. */
function compile(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'kernel-'));
  try {
    const wasm = join(folder, 'out.wasm');
    const parameters = [`${sources}/${name}.ts`, ...options, '--outFile', wasm];
    const { status, stderr } = spawnSync(join(root, 'node_modules/.bin/asc'), parameters, {
      cwd: root,
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`${name} cannot be compiled:\n${stderr}`);
    return readFileSync(wasm, 'base64');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
