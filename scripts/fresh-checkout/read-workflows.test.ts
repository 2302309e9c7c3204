import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { readWorkflows } from './read-workflows.ts';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'portcullis-workflows-'));
  mkdirSync(join(root, 'docs/integrations'), { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true }));

const write = (code: string, language = 'yaml') =>
  writeFileSync(join(root, 'docs/integrations/ci.md'), `# CI\n\n\`\`\`${language}\n${code}\`\`\`\n`);

test('every workflow of the guides is found, with its commands and its reports', () => {
  const found = readWorkflows('.');
  expect(found.map(({ guide, host, checkout }) => `${host}: ${guide}, ${checkout}`)).toEqual([
    'GitHub: docs/guardrails-evaluation.md, .',
    'GitLab: docs/guardrails-evaluation.md, .',
    'GitHub: docs/policies.md, .',
    'GitLab: docs/policies.md, .',
    'GitHub: docs/skills.md, .portcullis',
  ]);
  expect(found.map(({ commands }) => commands.length)).toEqual([1, 1, 2, 2, 1]);
  expect(found.flatMap(({ reports }) => reports)).toEqual([
    'guardrails.sarif',
    'guardrails.xml',
    'exam.json',
    'skills.sarif',
  ]);
});

test.each([
  ['jobs:\n  a:\n    steps:\n      - name: A step\n        run: node a.mjs\n      - run: node b.mjs\n', 'GitHub'],
  ['a:\n  before_script:\n    - node a.mjs\n  script:\n    - node b.mjs\n', 'GitLab'],
])('the commands of a workflow keep their order: %j', (code, host) => {
  for (const language of ['yaml', 'yml']) {
    write(code, language);
    expect(readWorkflows(root)).toMatchObject([{ host, commands: ['node a.mjs', 'node b.mjs'] }]);
  }
});

test.each([
  'jobs:\n  a:\n    steps:\n      - run: |\n          node a.mjs\n',
  'a:\n  script:\n    - |\n      node a.mjs\n',
  'a:\n  script: [node a.mjs]\n',
  'jobs:\n  a:\n    steps:\n      - uses: some/action@v1\n',
])('a workflow that could not be run as it is printed is an error: %j', (code) => {
  write(code);
  expect(() => readWorkflows(root)).toThrow('docs/integrations/ci.md: every command');
});

test('other YAML is no workflow', () => {
  write('spec:\n  containers:\n    - image: portcullis\n');
  expect(readWorkflows(root)).toEqual([]);
});
