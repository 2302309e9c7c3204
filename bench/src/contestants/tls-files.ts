import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { createTestAuthority } from '@portcullis/testkit/test-authority';
import type { Rig } from './contestant.ts';

export interface TlsFiles {
  readonly cert: string;
  readonly key: string;
  /** The authority that clients trust, PEM. */
  readonly ca: string;
}

/** Makes a certificate (ECDSA, P-256) for this machine's loopback, which this process trusts from then on. */
export async function writeTlsFiles(rig: Pick<Rig, 'folder'>, name: string): Promise<TlsFiles> {
  const authority = await createTestAuthority(`CN=Authority of ${name}`);
  const pair = await authority.issue({ subject: 'CN=localhost' });
  // Of its own: contestants make folders in the rig's by names they choose.
  const folder = await mkdtemp(join(rig.folder, `${name}-tls-`));
  const [cert, key] = [join(folder, 'tls.crt'), join(folder, 'tls.key')];
  await Promise.all([writeFile(cert, pair.cert), writeFile(key, pair.key, { mode: 0o600 })]);
  setDefaultCACertificates([...getCACertificates('default'), authority.cert]);
  return { cert, key, ca: authority.cert };
}
