import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import type { Logger } from '@portcullis/platform/log/logger';
import type { Spool } from '@portcullis/platform/spool/spool';
import { adoptSpools } from './adopt-spools.ts';

test('spools without an owner are opened until the end, those of others are left', async () => {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'portcullis-spools-'));
  for (const name of ['proxy-runtime', 'proxy-runtime-1', 'proxy-runtime-2', 'proxy-runtime-3', 'management-api']) {
    await mkdir(join(dataDirectory, 'spool', name), { recursive: true });
  }
  const [opened, closed, lines]: string[][] = [[], [], []];
  const log = { info: (line: string) => lines?.push(line), warn: (line: string) => lines?.push(line) };
  const openSpool = async (name: string) => {
    if (name === 'proxy-runtime-3') throw new Error('another process has it');
    opened?.push(name);
    return {
      state: () => ({ pendingRecords: name === 'proxy-runtime' ? 0 : 5 }),
      [Symbol.asyncDispose]: async () => void closed?.push(name),
    } as unknown as Spool;
  };

  const adopted = await adoptSpools(
    { dataDirectory, openSpool },
    new Set(['proxy-runtime-1']),
    log as unknown as Logger,
  );
  expect(opened?.toSorted()).toEqual(['proxy-runtime', 'proxy-runtime-2']);
  expect(lines?.toSorted()).toEqual([
    'a spool of a former worker cannot be taken over',
    'records of a former worker are taken over',
  ]);
  await adopted[Symbol.asyncDispose]();
  expect(closed?.toSorted()).toEqual(['proxy-runtime', 'proxy-runtime-2']);
  await rm(dataDirectory, { recursive: true });
});
