import { createHmac, timingSafeEqual } from 'node:crypto';
import { property, textProperty } from '@portcullis/core/json/json-value';

/**
 * The data plane does not ask the database whether a user is still an admin, so only tokens that were
 * signed not long ago count here. Milliseconds.
 */
const maxAgeMs = 3_600_000;
const maxLength = 4_096;

/** Tells whether a header holds a login token of an admin, `Bearer` before it or not. */
export function createAdminCheck(
  secret: string,
  previous?: string,
): (header: string | undefined, nowMs: number) => boolean {
  const secrets = previous === undefined ? [secret] : [secret, previous];
  return (header, nowMs) => {
    if (header === undefined || header.length > maxLength) return false;
    const [head, payload, signature, ...rest] = header.replace(/^Bearer /i, '').split('.');
    if (head === undefined || payload === undefined || signature === undefined || rest.length > 0) return false;
    const given = Buffer.from(signature, 'base64url');
    const isSigned = secrets.some((known) => {
      const expected = createHmac('sha256', known).update(`${head}.${payload}`).digest();
      return given.length === expected.length && timingSafeEqual(given, expected);
    });
    if (!isSigned) return false;
    return textProperty(parsePart(head), 'alg') === 'HS256' && isCurrentAdmin(parsePart(payload), nowMs);
  };
}

function isCurrentAdmin(claims: unknown, nowMs: number): boolean {
  const [issued, expires] = [property(claims, 'iat'), property(claims, 'exp')];
  if (typeof issued !== 'number' || typeof expires !== 'number') return false;
  return (
    textProperty(claims, 'iss') === 'portcullis' &&
    textProperty(claims, 'aud') === 'portcullis-management' &&
    textProperty(claims, 'role') === 'admin' &&
    expires * 1_000 > nowMs &&
    issued * 1_000 > nowMs - maxAgeMs
  );
}

/** A part that was signed by us, so it parses. */
const parsePart = (part: string): unknown => JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
