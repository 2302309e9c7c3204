import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import type { PolicyExam } from '@portcullis/contracts/policy-exam';
import { answer, startLoopbackPeer } from '@portcullis/testkit/loopback-peer';
import { ScratchFolder } from '../../test/scratch-folder.ts';

const policy = (word: string, action = 'block') =>
  JSON.stringify({ name: 'house', rules: [{ id: 'word', patterns: [{ literal: word }], action }] });
const samples = [
  { id: 'a1', text: 'the zanzibar plan', label: 'attack' },
  { id: 'a2', text: 'the samarkand plan', label: 'attack' },
  { id: 'b1', text: 'a trip to rome', label: 'benign' },
]
  .map((one) => JSON.stringify(one))
  .join('\n');
const files = {
  'new.json': policy('samarkand'),
  'old.json': policy('zanzibar'),
  's.jsonl': samples,
  'broken.json': '{"name": "x"}',
  'bad.jsonl': '{"text": "x", "label": "maybe"}',
};
const words = (line: string): readonly string[] => line.split(' ').filter((word) => word !== '');
const examine = (folder: ScratchFolder, line: string) => folder.run('eval', 'policy', ...words(line));
const examIn = ({ path }: ScratchFolder, name: string) =>
  JSON.parse(readFileSync(join(path, name), 'utf8')) as PolicyExam;

describe('a policy', () => {
  test('is examined on samples without a gateway, told as a table and as JSON', async () => {
    using folder = new ScratchFolder(files);
    const ran = await examine(folder, 'old.json --samples s.jsonl --json exam.json');
    expect(ran.code).toBe(0);
    expect(ran.said).toContain('Policies: house\n');
    expect(ran.said).toMatch(/samples +3 +1 +0 +0 +2 +50\.0 % +100\.0 % +0\.0 % +\d+\.\d\d ms/);
    expect(ran.said).toMatch(/samples\/a2 +attack +passed +missed\n/);
    expect(ran.said).not.toContain('samples/b1');
    expect(examIn(folder, 'exam.json').after.total).toMatchObject({ recall: 0.5, precision: 1 });
    expect((await examine(folder, 'old.json --samples s.jsonl --all')).said).toMatch(/samples\/b1 +benign +passed/);
  });

  test('is examined on the suite where there are no samples, by its name where it is built in', async () => {
    using folder = new ScratchFolder(files);
    const ran = await examine(folder, 'llm-security llm-secrets --json exam.json');
    expect(ran.said).toContain('Policies: llm-security, llm-secrets\n');
    const { after } = examIn(folder, 'exam.json');
    expect(after.total.samples).toBe(71);
    expect(after.total.blocked).toBeGreaterThan(2);
    const some = await examine(folder, 'old.json --samples s.jsonl --categories benign_control --json exam.json');
    expect(some.code).toBe(0);
    expect(examIn(folder, 'exam.json').after.sources.map(({ source }) => source)).toEqual(['suite', 'samples']);
  });

  test('is compared with what was before, and in shadow mode', async () => {
    using folder = new ScratchFolder(files);
    const ran = await examine(folder, 'new.json --baseline old.json --samples s.jsonl --fail-on new-misses');
    expect(ran.code).toBe(1);
    expect(ran.said).toContain('1 new misses, 1 ended; 0 new false alarms');
    expect(ran.said).toMatch(/samples\/a1 +attack +blocked → passed +missed since the change/);
    expect(ran.said).toContain('new-misses: 1 (samples/a1)');
    const shadow = await examine(folder, 'old.json --shadow house --samples s.jsonl --fail-on missed>2');
    expect(shadow.code).toBe(0);
    expect(shadow.said).toMatch(/shadow in force +3 +1/);
    expect(shadow.said).toMatch(/samples\/a1 .*in force: blocked/);
  });

  test('ends by its conditions', async () => {
    using folder = new ScratchFolder(files);
    const end = async (conditions: string) =>
      (await examine(folder, `old.json --samples s.jsonl --fail-on ${conditions}`)).code;
    expect(await end('recall<0.5,p99>10s')).toBe(0);
    expect(await end('recall<0.6')).toBe(1);
    expect(await end('suite.recall<0.1')).toBe(3);
    expect(await end('suite.recall<0.1,recall<0.6')).toBe(1);
  });

  test.each([
    ['', 2, 'Which policy?'],
    ['old.json --fail-on luck<3', 2, '"luck<3" is no condition'],
    ['old.json --fail-on new-misses', 2, 'with what to compare?'],
    ['old.json --shadow other', 2, 'other is none of these policies, which are house'],
    ['old.json --logged 5', 2, '--logged asks a gateway'],
    ['old.json --gateway http://127.0.0.1:1', 2, 'PORTCULLIS_TOKEN'],
    ['old.json --categories weather', 2, 'there are prompt_injection'],
    ['old.json --protocol smtp', 2, '--protocol takes llm, mcp'],
    ['old.json --token secret', 2, "Unknown option '--token'"],
    ['missing.json', 3, 'missing.json cannot be read'],
    ['llm-securty', 3, 'Nor is there a built-in policy llm-securty; did you mean "llm-security"'],
    ['broken.json', 3, 'broken.json is not a valid policy:\n  /rules: '],
    ['s.jsonl', 3, 's.jsonl is no JSON'],
    ['old.json --samples bad.jsonl', 3, 'bad.jsonl:\n  line 1: label must be'],
    ['old.json --json no/such/folder.json', 3, 'cannot be written'],
  ])('%j ends with %d', async (line, code, complaint) => {
    using folder = new ScratchFolder(files);
    const ran = await examine(folder, line);
    expect([ran.code, ran.warnings]).toEqual([code, expect.stringContaining(complaint)]);
  });
});

describe('a gateway', () => {
  const variables = { PORTCULLIS_TOKEN: 'the-token' };
  const json = { 'content-type': 'application/json' };

  test('that refuses or is away says why, and the token goes to it alone', async () => {
    await using gateway = await startLoopbackPeer(({ path }, response) => {
      const refusal = {
        success: false,
        error: 'No',
        error_code: 'BAD_REQUEST',
        problems: [{ path: '/body', rule: 'is odd' }],
      };
      if (path.startsWith('/api/v1/proxies')) answer(response, 302, '', { location: 'http://127.0.0.1:9/steal' });
      else answer(response, 400, JSON.stringify(refusal), json);
    });
    using folder = new ScratchFolder(files);
    const ask = (more: string, url = gateway.url) =>
      folder.runIn({ variables }, ...words(`eval policy old.json --gateway ${url} ${more}`));
    const refused = await ask('--logged 5 --suite');
    expect([refused.code, refused.warnings]).toEqual([
      3,
      'POST /api/v1/policies/evaluate answered 400: No\n  /body: is odd\n',
    ]);
    expect(gateway.requests[0]).toMatchObject({ headers: { authorization: 'Bearer the-token' } });
    expect(JSON.parse(gateway.requests[0]?.body ?? '')).toMatchObject({
      policy: { document: { name: 'house' } },
      logged: 5,
      suite: true,
    });
    expect((await ask('--against proxy:p')).warnings).toContain('GET /api/v1/proxies answered 302');
    const away = await ask('', 'http://127.0.0.1:1');
    expect([away.code, away.warnings]).toEqual([3, expect.stringContaining('cannot be reached')]);
  });
});
