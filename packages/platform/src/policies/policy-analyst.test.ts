import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { analysePattern, collectAnalyses } from '@portcullis/core/policy/pattern/analyse-pattern';
import { createKeptLog } from '@portcullis/platform/test/kept-log';
import type { Infrastructure } from '../service/infrastructure.ts';
import { Secret } from '../config/secret.ts';
import { silentLog } from '@portcullis/platform/test/test-database';
import { waitFor } from '@portcullis/testkit/wait-for';
import { createAnalysisStore, DamagedAnalyses, hashDocument, type AnalysesByDocument } from './analysis-store.ts';
import { createPolicyAnalyst, sharePolicyAnalyst } from './policy-analyst.ts';

const secret = 's'.repeat(32);
let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'portcullis-analyses-'));
  path = join(folder, 'analyses.bin');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const documentOf = (...patterns: readonly string[]) => ({
  name: 'doors',
  rules: [{ id: 'A', name: 'A', severity: 'High', patterns, action: 'block' }],
});
const analysesOf = (regex: string): AnalysesByDocument => {
  const stored = collectAnalyses(() => void analysePattern(regex));
  return new Map([[hashDocument(documentOf(regex)), stored]]);
};

test('what a thread found out of a document is kept for the next process, for the owner only', async () => {
  const document = documentOf('first unheard text', 'second unheard text');
  {
    await using analyst = createPolicyAnalyst({ path, secret }, silentLog);
    await analyst.analyse(document);
  }
  const kept = await createAnalysisStore(path, secret).load();
  expect(kept.get(hashDocument(document))?.map(({ source }) => source)).toEqual([
    'first unheard text',
    'second unheard text',
  ]);
  expect((await stat(path)).mode & 0o777).toBe(0o600);

  const before = await readFile(path);
  await using next = createPolicyAnalyst({ path, secret }, silentLog);
  await next.load();
  await next.analyse(document);
  expect((await readFile(path)).equals(before)).toBe(true);
});

test('several processes that need the same policy add to one file', async () => {
  await using one = createPolicyAnalyst({ path, secret }, silentLog);
  await using other = createPolicyAnalyst({ path, secret }, silentLog);
  const [a, b] = [documentOf('only the first asks'), documentOf('only the second asks')];
  await Promise.all([one.analyse(a), other.analyse(b), one.analyse(b)]);
  const kept = await createAnalysisStore(path, secret).load();
  expect(new Set(kept.keys())).toEqual(new Set([hashDocument(a), hashDocument(b)]));
});

test('services of one process share a thread and what it found out, until the last lets go', async () => {
  const config = { ENCRYPTION_KEY: new Secret(secret), ENCRYPTION_KEY_PREVIOUS: undefined };
  const infrastructure = { config, dataDirectory: folder } as unknown as Infrastructure;
  const document = documentOf('asked by two services');
  await using one = sharePolicyAnalyst(infrastructure, silentLog);
  await using other = sharePolicyAnalyst(infrastructure, silentLog);
  await Promise.all([one.load(), other.load()]);
  await one.analyse(document);
  const file = join(folder, 'policy-analyses.bin');
  const before = await stat(file);
  await one[Symbol.asyncDispose]();
  await other.analyse(document);
  expect((await stat(file)).mtimeMs).toBe(before.mtimeMs);
  await other.analyse(documentOf('asked by the one that is left'));
  expect((await createAnalysisStore(file, secret).load()).size).toBe(2);
});

test('a file that was changed is dropped with a warning, and the patterns are checked again', async () => {
  const store = createAnalysisStore(path, secret);
  const [forged] = [...analysesOf('heavy one').values()];
  await createAnalysisStore(path, 'x'.repeat(32)).save(new Map([['forged', forged ?? []]]));
  await expect(store.load()).rejects.toThrow(DamagedAnalyses);
  expect(await store.load()).toEqual(new Map());

  await store.save(analysesOf('honest one'));
  const bytes = await readFile(path);
  bytes[bytes.length - 3] = (bytes[bytes.length - 3] ?? 0) ^ 1;
  await writeFile(path, bytes);
  const { log, lines } = createKeptLog();
  await using analyst = createPolicyAnalyst({ path, secret }, log);
  await analyst.load();
  await waitFor(() => lines.length > 0, { what: 'the warning' });
  expect(lines).toMatchObject([
    {
      level: 'warn',
      message: 'What was known of policies is found out anew',
      reason: expect.stringContaining('is damaged and was removed'),
    },
  ]);
  await analyst.analyse(documentOf('honest one'));
  expect((await store.load()).size).toBe(1);
});

test('a change of the secret keeps what is known, and seals it anew', async () => {
  const [former, next] = ['f'.repeat(32), 'n'.repeat(32)];
  await createAnalysisStore(path, former).save(analysesOf('one of before'));
  const { log, lines } = createKeptLog();
  await using analyst = createPolicyAnalyst({ path, secret: next, previousSecret: former }, log);
  await analyst.load();
  expect(lines).toEqual([]);
  expect((await createAnalysisStore(path, next).load()).size).toBe(1);
  await rm(path);
});

test('a file that cannot be written, or is no file, keeps no policy from being analysed', async () => {
  const { log, lines } = createKeptLog();
  await using analyst = createPolicyAnalyst({ path: join(folder, 'absent', 'analyses.bin'), secret }, log);
  await analyst.analyse(documentOf('nowhere to be kept'));
  await waitFor(() => lines.length > 0, { what: 'the warning' });
  for (const line of lines) expect(line).toMatchObject({ message: 'What is known of policies is not kept' });
});

test('only the latest documents are kept, and empty files of other versions count as none', async () => {
  const store = createAnalysisStore(path, secret);
  const [patterns = []] = [...analysesOf('one of many').values()];
  await store.save(new Map(Array.from({ length: 300 }, (_, number) => [String(number), patterns])));
  const kept = await store.load();
  expect(kept.size).toBe(256);
  expect([kept.has('43'), kept.has('44'), kept.has('299')]).toEqual([false, true, true]);
});
