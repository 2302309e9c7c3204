import type { CardSignature } from '@portcullis/core/a2a/agent-card';
import { cardPayload, cardPayloadForms } from '@portcullis/core/a2a/card-payload';
import { LruMap } from '@portcullis/core/collections/lru-map';
import type { JsonObject } from '@portcullis/core/json/json-object';
import { FlattenedSign } from 'jose';
import { hash } from 'node:crypto';
import { cardAlgorithm, type SigningKey } from './signing-keys.ts';

const maxKept = 500;

/** Signs cards so that the verifiers of all official kits are satisfied. */
export type SignCard = (card: JsonObject, key: SigningKey) => Promise<JsonObject>;

/** A card that was signed before has the same signatures again, and so the same bytes. */
export function createCardSigner(): SignCard {
  const known = new LruMap<readonly CardSignature[]>(maxKept);
  return async (card, key) => {
    // Verifiers differ in how they write a card down, and take it when one of its signatures is good.
    const payloads = [...new Set(cardPayloadForms.map((form) => cardPayload(card, form)))];
    const name = hash('sha256', `${key.kid} ${payloads.join('\n')}`);
    const found = known.use(name)?.value;
    if (found !== undefined) return { ...card, signatures: found };
    const signatures = await Promise.all(payloads.map((payload) => sign(payload, key)));
    if (known.use(name) === undefined) known.add(name, signatures);
    return { ...card, signatures };
  };
}

async function sign(payload: string, { kid, key }: SigningKey): Promise<CardSignature> {
  const signed = await new FlattenedSign(new TextEncoder().encode(payload))
    .setProtectedHeader({ alg: cardAlgorithm, kid, typ: 'JOSE' })
    .sign(key);
  return { protected: signed.protected ?? '', signature: signed.signature };
}
