import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import { parseArchivedFile } from '@portcullis/core/skills/archive/parse-archive';
import { lostPackage, type FileAnswer, type FileRequest } from './file-messages.ts';

function load(archive: FileRequest['archive']): Uint8Array | undefined {
  if (typeof archive !== 'string') return archive;
  try {
    return readFileSync(archive);
  } catch {
    return undefined;
  }
}

function answer({ archive, sha256, path, maxBytes }: FileRequest): FileAnswer {
  const bytes = load(archive);
  if (bytes === undefined || hash('sha256', bytes) !== sha256) return { fault: lostPackage };
  const { fault, bytes: file } = parseArchivedFile(bytes, path, maxBytes);
  // A copy: what is stored as it is would be sent with the whole package around it.
  return fault === undefined ? { bytes: file && new Uint8Array(file) } : { fault: fault.message };
}

parentPort?.on('message', (request: FileRequest) => parentPort?.postMessage(answer(request)));
