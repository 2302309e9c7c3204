import { expect, test } from '@jest/globals';
import { globSync, readFileSync } from 'node:fs';
import { dirname, matchesGlob } from 'node:path';
import { allocator } from './run-pinned.mjs';
import type { OptionTable } from '../packages/platform/src/config/option-table.ts';
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

test('what the image copies is sent to the engine that builds it', () => {
  const rules = readFileSync('infra/Dockerfile.dockerignore', 'utf8').trim().split('\n');
  // The last rule for a file or a folder around it counts; a star stands for names that begin with a dot, too.
  const matches = (path: string, glob: string): boolean => glob === '*' || matchesGlob(path, glob);
  const isSent = (path: string): boolean => {
    const parts = path.split('/');
    const around = parts.map((_, index) => parts.slice(0, index + 1).join('/'));
    const rule = rules.findLast((one) => around.some((part) => matches(part, one.replace(/^!/, ''))));
    return rule?.startsWith('!') ?? true;
  };
  const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, paths = '']) => paths.split(' '));
  expect(copied).toContain('package.json');
  expect(copied.filter((path) => !isSent(path))).toEqual([]);
  expect(['.env', 'node_modules', 'packages/core/node_modules', 'apps/gateway/test'].filter(isSent)).toEqual([]);
});

test('the image has the pinned versions of Node and pnpm', () => {
  const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as {
    packageManager: string;
    optionalDependencies: Record<string, string>;
  };
  expect(dockerfile).toContain(`npm install --global ${manifest.packageManager}\n`);
  const [version, ...others] = new Set(Object.values(manifest.optionalDependencies));
  expect(others).toEqual([]);
  expect(dockerfile.match(/^FROM (\S+)/gm)).toEqual(Array(2).fill(`FROM node:${version}-slim`));
});

test('the image gives memory back as `npm start` does', () => {
  const settings = Object.entries(allocator).map(([name, value]) => `${name}=${value}`);
  expect(dockerfile).toContain(`ENV ${settings.join(' ')}\n`);
});

test('each service has its process in the services mode, and every variable they get is an option', () => {
  const scripts = [...compose.matchAll(/command: \['node', '([^']+)'\]/g)].map(([, script]) => script ?? '');
  const services = globSync('apps/*/src/service.ts').map((file) => `${dirname(file)}/main.ts`);
  expect(services).toContain('apps/management-api/src/main.ts');
  expect(scripts.toSorted()).toEqual(services.toSorted());

  const environments = [...compose.matchAll(/^( *)(?:x-)?environment:(?: &environment)?\n((?:\1 {2}.*\n)+)/gm)];
  const names = environments.flatMap(([, , block = '']) =>
    [...block.matchAll(/^ +([A-Z_]+):/gm)].map(([, name]) => name),
  );
  const ours = names.filter((name) => !name?.startsWith('POSTGRES_'));
  expect(ours).toContain('DATABASE_URL_FILE');
  const table: OptionTable = options;
  const isKnown = (name = '') => Object.hasOwn(table, name) || table[name.replace(/_FILE$/, '')]?.isSecret === true;
  expect(ours.filter((name) => !isKnown(name))).toEqual([]);
});

test('no service of ours gets a secret in its environment', () => {
  const table: OptionTable = options;
  const inClear = Object.keys(table).filter(
    (name) =>
      table[name]?.isSecret === true && new RegExp(`^ +${name}:(?! redis://redis:| \\$\\{TRACING)`, 'm').test(compose),
  );
  expect(inClear).toEqual([]);
  const used = [...compose.matchAll(/\/run\/secrets\/(\w+)/g)].map(([, name]) => name);
  for (const name of new Set(used)) expect(compose).toContain(`    file: \${SECRETS_FOLDER:-./secrets}/${name}\n`);
});
