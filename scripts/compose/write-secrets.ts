import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The files that the head of docker-compose.yml asks for, in a folder that goes when it is disposed of. */
export interface StackSecrets extends AsyncDisposable {
  readonly folder: string;
  readonly adminPassword: string;
}

const secret = () => randomBytes(32).toString('hex');

/** Containers read the files under users of their own, so they are readable; the folder is this user's alone. */
export async function writeSecrets(): Promise<StackSecrets> {
  const folder = await mkdtemp(join(tmpdir(), 'portcullis-secrets-'));
  const [postgresPassword, adminPassword] = [secret(), secret()];
  const files = {
    postgres_password: postgresPassword,
    jwt_secret: secret(),
    encryption_key: secret(),
    admin_password: adminPassword,
    database_url: `postgres://portcullis:${postgresPassword}@postgres:5432/portcullis`,
  };
  for (const [name, text] of Object.entries(files)) {
    await writeFile(join(folder, name), text);
    await chmod(join(folder, name), 0o444);
  }
  return {
    folder,
    adminPassword,
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}
