import { expect, test } from '@jest/globals';
import { globSync, readFileSync } from 'node:fs';

// The registry's package `portcullis` is not ours: what asks for that name outside a checkout runs a stranger's program.
const asksRegistry =
  /\b(?:npx|bunx|npm exec|(?:pnpm|yarn) dlx|(?:npm|pnpm|yarn|bun) (?:install|i|add|create|global))\b[^\n|;&`]*?[\s"'=]portcullis(?![\w./-])/;

const guides = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...globSync('docs/{,integrations/,examples/}*.{md,json,yml,yaml}'),
  ...globSync('{.github/workflows,.ci}/*'),
  ...globSync('{apps,packages}/*/README.md'),
];

test.each([
  ['npx portcullis skill scan .', true],
  ['- run: npx --yes portcullis eval run', true],
  ['npm exec -- portcullis', true],
  ['npm install --global portcullis', true],
  ['npm i portcullis@latest', true],
  ['pnpm dlx portcullis', true],
  ['{ "command": "npx", "args": ["portcullis"] }', true],
  ['node scripts/portcullis.mjs skill scan .', false],
  ['npx mcp-remote https://portcullis.example.com', false],
  ['npm install, then portcullis.mjs runs', false],
])('what asks a registry for the name is known: %s', (line, asks) => expect(asksRegistry.test(line)).toBe(asks));

test('no guide has a registry asked for a name that is not ours', () => {
  expect(guides.length).toBeGreaterThan(40);
  const lines = guides.flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => asksRegistry.test(line))
      .map((line) => `${file}: ${line.trim()}`),
  );
  expect(lines).toEqual([]);
});
