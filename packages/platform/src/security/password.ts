import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const deriveKey = promisify(argon2);

/** Argon2id cost: the lowest that OWASP's password storage guidance accepts, about 20 ms. Kept in every hash. */
const cost = { memory: 19_456, passes: 2, parallelism: 1 };
const saltBytes = 16;
const keyBytes = 32;

/** Most memory a stored hash may ask for, so that an altered row cannot exhaust the process. KiB. */
const maxMemory = 262_144;
const maxPasses = 10;

const phc = /^\$argon2id\$v=19\$m=(\d{1,6}),t=(\d{1,2}),p=(\d{1,2})\$([A-Za-z\d+/]{11,86})\$([A-Za-z\d+/]{22,86})$/;

/** Hashes a password for storage, as a PHC string: `$argon2id$v=19$m=19456,t=2,p=1$salt$hash`. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltBytes);
  const key = await deriveKey('argon2id', { message: password, nonce: salt, tagLength: keyBytes, ...cost });
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${encode(salt)}$${encode(key)}`;
}

/** Whether the password is the one that was hashed, in a time that does not depend on how much of it is right. */
export async function checkPassword(password: string, stored: string): Promise<boolean> {
  const [, memory, passes, parallelism, salt, hash] = phc.exec(stored) ?? [];
  if (salt === undefined || hash === undefined) return false;
  if (Number(memory) > maxMemory || Number(passes) > maxPasses) return false;

  const expected = Buffer.from(hash, 'base64');
  const key = await deriveKey('argon2id', {
    message: password,
    nonce: Buffer.from(salt, 'base64'),
    tagLength: expected.length,
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
  });
  return timingSafeEqual(key, expected);
}

/** Base64 without padding, as PHC strings have it. */
const encode = (bytes: Buffer): string => bytes.toString('base64').replace(/(?<!=)=+$/, '');
