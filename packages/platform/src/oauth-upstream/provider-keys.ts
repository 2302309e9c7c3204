import { createPublicKey, type KeyObject, type webcrypto } from 'node:crypto';
import type { Algorithm } from 'jsonwebtoken';

/** A key with which a provider signs. */
export interface ProviderKey {
  readonly key: KeyObject;
  /** By its kind: one of another kind is never tried. */
  readonly algorithms: readonly Algorithm[];
}

/** What is known of how a provider signs. */
export interface ProviderKeys {
  readonly issuer: string;
  /** Those by which a token may be signed that names this key, or none. */
  find(kid: string | undefined): readonly ProviderKey[];
}

const maxKeys = 100;
/** How many are tried for a token that names none. */
const maxTried = 4;

const rsa = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'] as const;
const curves: ReadonlyMap<string, Algorithm> = new Map([
  ['P-256', 'ES256'],
  ['P-384', 'ES384'],
  ['P-521', 'ES512'],
]);

/** Opens the published keys of a provider; those that sign nothing, or in a way that is not known, are left out. */
export function openProviderKeys(issuer: string, document: unknown): ProviderKeys {
  const { keys: published } = Object(document) as { readonly keys?: unknown };
  if (!Array.isArray(published)) throw new Error('The provider published no keys');
  const keys = published.slice(0, maxKeys).flatMap((jwk: unknown) => openKey(Object(jwk) as PublishedKey) ?? []);
  const byId = Map.groupBy(keys, ({ kid }) => kid);
  return {
    issuer,
    find: (kid) => (kid === undefined ? keys.slice(0, maxTried) : (byId.get(kid) ?? []).slice(0, maxTried)),
  };
}

type PublishedKey = webcrypto.JsonWebKey & { readonly kid?: unknown };

function openKey(jwk: PublishedKey): (ProviderKey & { readonly kid: string | undefined }) | undefined {
  if (jwk.use !== undefined && jwk.use !== 'sig') return undefined;
  const algorithms = algorithmsOf(jwk);
  if (algorithms.length === 0) return undefined;
  try {
    const { kid } = jwk;
    return {
      kid: typeof kid === 'string' ? kid : undefined,
      algorithms,
      key: createPublicKey({ key: jwk, format: 'jwk' }),
    };
  } catch {
    return undefined;
  }
}

function algorithmsOf({ kty, crv = '', alg }: PublishedKey): readonly Algorithm[] {
  const curve = curves.get(crv);
  const all: readonly Algorithm[] = kty === 'RSA' ? rsa : kty === 'EC' && curve !== undefined ? [curve] : [];
  return alg === undefined ? all : all.filter((one) => one === alg);
}
