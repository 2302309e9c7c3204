import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { open, readFile, rename, rm, stat } from 'node:fs/promises';
import { deserialize, serialize } from 'node:v8';
import type { StoredAnalysis } from '@portcullis/core/policy/pattern/analysed-pattern';
import { problemCode } from '../errors/problem.ts';
import { fingerprintEngine } from './engine-fingerprint.ts';

/** The analyses of all patterns of some policies, by {@link hashDocument}. */
export type AnalysesByDocument = ReadonlyMap<string, readonly StoredAnalysis[]>;

/** What is known of patterns on disk, so that no process finds it out again. */
export interface AnalysisStore {
  /** Empty when nothing is kept, or what is kept is of another version. @throws {DamagedAnalyses} */
  load(): Promise<AnalysesByDocument>;
  save(analyses: AnalysesByDocument): Promise<void>;
}

/** The file is not as the gateway wrote it; it has been removed. */
export class DamagedAnalyses extends Error {}

interface Kept {
  readonly engine: string;
  readonly documents: AnalysesByDocument;
}

const maxBytes = 67_108_864;
const maxDocuments = 256;
const maxAnalyses = 20_000;
const sealBytes = 32;

/** What a document is known by. */
export const hashDocument = (document: unknown): string =>
  createHash('sha256').update(JSON.stringify(document)).digest('hex');

/**
 * What stands in the file decides how patterns are run, so it is sealed: neither damage nor another writer can slip in
 * a pattern that was never checked.
 * @param secret of the installation
 * @param previous the one before, by which the file may still be sealed
 */
export function createAnalysisStore(path: string, secret: string, previous?: string): AnalysisStore {
  const sealOf = (bytes: Uint8Array, by = secret): Buffer =>
    createHmac('sha256', by).update('policy analyses\n').update(bytes).digest();
  let engine: Promise<string> | undefined;

  const readSealed = async (): Promise<{ readonly content: Buffer; readonly isOld: boolean } | undefined> => {
    try {
      const { size } = await stat(path);
      const bytes = size <= maxBytes ? await readFile(path) : Buffer.alloc(0);
      const content = bytes.subarray(sealBytes);
      const isSealedBy = (key: string): boolean =>
        bytes.length > sealBytes && timingSafeEqual(bytes.subarray(0, sealBytes), sealOf(content, key));
      if (isSealedBy(secret)) return { content, isOld: false };
      if (previous !== undefined && isSealedBy(previous)) return { content, isOld: true };
    } catch (error) {
      if (problemCode(error) === 'ENOENT') return undefined;
      throw error;
    }
    await rm(path, { force: true });
    throw new DamagedAnalyses(`${path} is damaged and was removed`);
  };

  const write = async (content: Uint8Array): Promise<void> => {
    const draft = `${path}.new`;
    {
      await using file = await open(draft, 'w', 0o600);
      await file.appendFile(sealOf(content));
      await file.appendFile(content);
      await file.sync();
    }
    await rename(draft, path);
  };

  return {
    async load() {
      const sealed = await readSealed();
      if (sealed === undefined) return new Map();
      if (sealed.isOld) await write(sealed.content);
      const kept = deserialize(sealed.content) as Kept;
      return kept.engine === (await (engine ??= fingerprintEngine())) ? kept.documents : new Map();
    },

    async save(analyses) {
      const documents = bound(analyses);
      await write(serialize({ engine: await (engine ??= fingerprintEngine()), documents } satisfies Kept));
    },
  };
}

/** The latest documents, as many as have room; each pattern of theirs is written once. */
function bound(analyses: AnalysesByDocument): AnalysesByDocument {
  const known = new Map<string, StoredAnalysis>();
  const kept: [string, readonly StoredAnalysis[]][] = [];
  for (const [hash, patterns] of [...analyses].toReversed().slice(0, maxDocuments)) {
    if (known.size + patterns.length > maxAnalyses) break;
    kept.push([hash, patterns.map((pattern) => shareKnown(known, pattern))]);
  }
  return new Map(kept.toReversed());
}

function shareKnown(known: Map<string, StoredAnalysis>, pattern: StoredAnalysis): StoredAnalysis {
  const key = `${pattern.flags}/${pattern.source}`;
  const same = known.get(key);
  if (same === undefined) known.set(key, pattern);
  return same ?? pattern;
}
