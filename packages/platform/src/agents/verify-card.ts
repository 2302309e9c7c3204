import type { CardSignatureCheck, TrustedKey } from '@portcullis/contracts/routes/agents';
import type { AgentCard, CardSignature } from '@portcullis/core/a2a/agent-card';
import { cardPayload, cardPayloadForms, coveredMembers, type CardPayloadForm } from '@portcullis/core/a2a/card-payload';
import { parseAgentCard } from '@portcullis/core/a2a/parse-agent-card';
import { objectOf, type JsonObject } from '@portcullis/core/json/json-object';
import { decodeProtectedHeader, flattenedVerify, importJWK } from 'jose';

export interface VerifiedCard {
  readonly check: CardSignatureCheck;
  /** What may be used: of a card that is verified, only what the signature covers. */
  readonly card: AgentCard;
}

/** Algorithms by the kind of key. A key of the operator says which may be used, never the card. */
const algorithms: Readonly<Record<string, readonly string[]>> = {
  'EC P-256': ['ES256'],
  'EC P-384': ['ES384'],
  'OKP Ed25519': ['EdDSA', 'Ed25519'],
  RSA: ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
};

const algorithmsOf = ({ kty, crv }: TrustedKey): readonly string[] =>
  algorithms[kty === 'RSA' ? kty : `${kty} ${crv}`] ?? [];

/**
 * Holds the signatures of a card against keys that an operator trusts. Keys that a card names itself are not fetched: the one who
 * wrote the card would choose them.
 * @param source the card as it came
 */
export async function verifyCard(
  card: AgentCard,
  source: string,
  trusted: readonly TrustedKey[],
): Promise<VerifiedCard> {
  const { signatures = [] } = card;
  if (signatures.length === 0) return { check: { status: 'unsigned' }, card };
  if (trusted.length === 0) return { check: { status: 'untrusted' }, card };
  const written = objectOf(JSON.parse(source)) ?? {};
  for (const form of cardPayloadForms) {
    const covered = coveredCard(written, form);
    if (covered === undefined) continue;
    const payload = Buffer.from(cardPayload(written, form)).toString('base64url');
    const check = await findValid(signatures, payload, trusted);
    if (check !== undefined) return { check: { ...check, form }, card: { ...covered, signatures } };
  }
  return { check: { status: 'invalid' }, card };
}

/** The card that is left when everything goes that a signature in this form does not cover. */
const coveredCard = (written: JsonObject, form: CardPayloadForm): AgentCard | undefined =>
  parseAgentCard(coveredMembers(written, form)).value?.card;

async function findValid(
  signatures: readonly CardSignature[],
  payload: string,
  trusted: readonly TrustedKey[],
): Promise<CardSignatureCheck | undefined> {
  for (const signature of signatures) {
    const { kid, alg } = headerOf(signature);
    for (const key of trusted) {
      const isMeant = kid === undefined || key.kid === undefined || kid === key.kid;
      if (alg === undefined || !isMeant || !algorithmsOf(key).includes(alg)) continue;
      if (await isValid(signature, payload, key, alg)) {
        const id = kid ?? key.kid;
        return { status: 'verified', algorithm: alg, ...(id !== undefined && { key_id: id }) };
      }
    }
  }
  return undefined;
}

function headerOf(signature: CardSignature): { readonly kid?: string | undefined; readonly alg?: string | undefined } {
  try {
    return decodeProtectedHeader({ protected: signature.protected });
  } catch {
    return {};
  }
}

async function isValid(
  { protected: header, signature }: CardSignature,
  payload: string,
  key: TrustedKey,
  algorithm: string,
): Promise<boolean> {
  try {
    await flattenedVerify({ protected: header, payload, signature }, await importJWK(key, algorithm), {
      algorithms: [algorithm],
    });
    return true;
  } catch {
    return false;
  }
}
