import { hashKey } from '@portcullis/core/identity/presented-key';
import type { Queryable } from '@portcullis/platform/database/database';
import { timingSafeEqual } from 'node:crypto';
import { findClient, type ClientRow } from './client-queries.ts';
import { unknownClient } from './oauth-refusal.ts';

interface Presented {
  readonly client_id?: string | undefined;
  readonly client_secret?: string | undefined;
}

/**
 * The client that asks for tokens: by its secret where it has one, in the form or in the header; a public one by its id.
 * @param authorization the header
 * @throws {GatewayError} `invalid_client`
 */
export async function authenticateClientOrThrow(
  database: Queryable,
  proxyId: number,
  form: Presented,
  authorization: string | undefined,
): Promise<ClientRow> {
  const { id, secret } = readHeader(authorization) ?? { id: form.client_id, secret: form.client_secret };
  // What stands in both places must not differ: of two clients only one asks.
  if (id === undefined || (form.client_id !== undefined && form.client_id !== id)) throw unknownClient();
  const client = await findClient(database, proxyId, id);
  if (client === undefined) throw unknownClient();
  const isProven =
    client.secret_hash === null ||
    (secret !== undefined && timingSafeEqual(Buffer.from(hashKey(secret)), Buffer.from(client.secret_hash)));
  if (!isProven) throw unknownClient();
  return client;
}

/** RFC 6749, 2.3.1: each encoded like a value of a form. */
function readHeader(authorization: string | undefined): { id: string; secret: string } | undefined {
  const [, encoded] = /^basic +([\w+/=]{1,8192})$/i.exec(authorization ?? '') ?? [];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const at = text.indexOf(':');
  if (at === -1) return undefined;
  try {
    const [id, secret] = [text.slice(0, at), text.slice(at + 1)].map((part) =>
      decodeURIComponent(part.replaceAll('+', ' ')),
    );
    return { id: id ?? '', secret: secret ?? '' };
  } catch {
    return undefined;
  }
}
