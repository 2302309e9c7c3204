import { expect, test } from '@jest/globals';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { options } from '../packages/platform/src/config/options.ts';

const compose = readFileSync('docker-compose.yml', 'utf8');
const dockerfile = readFileSync('infra/Dockerfile', 'utf8');

test('the image installs for every package of the workspace', () => {
  const folders = globSync('{apps,packages}/*/package.json').map(dirname);
  expect(folders.length).toBeGreaterThan(0);
  for (const folder of [...folders, 'bench']) {
    expect(dockerfile).toContain(`COPY ${folder}/package.json ${folder}/\n`);
  }
});

test('the image has the pinned versions of Node and pnpm', () => {
  const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as {
    packageManager: string;
    dependencies: { node: string };
  };
  expect(dockerfile).toContain(`npm install --global ${manifest.packageManager}\n`);
  expect(dockerfile.match(/^FROM (\S+)/gm)).toEqual(Array(2).fill(`FROM node:${manifest.dependencies.node}-slim`));
});

test('the processes of the services mode are there, and every variable they get is an option', () => {
  const scripts = [...compose.matchAll(/command: \['node', '([^']+)'\]/g)].map(([, script]) => script ?? '');
  expect(scripts).toHaveLength(3);
  expect(scripts.filter((script) => !existsSync(script))).toEqual([]);

  const environments = [...compose.matchAll(/^( *)(?:x-)?environment:(?: &environment)?\n((?:\1 {2}.*\n)+)/gm)];
  const names = environments.flatMap(([, , block = '']) =>
    [...block.matchAll(/^ +([A-Z_]+):/gm)].map(([, name]) => name),
  );
  const ours = names.filter((name) => !name?.startsWith('POSTGRES_'));
  expect(ours).toContain('DATABASE_URL');
  expect(ours.filter((name) => !Object.hasOwn(options, name ?? ''))).toEqual([]);
});
