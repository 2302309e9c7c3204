import { createHash } from 'node:crypto';
import type { GuardrailConfig, GuardrailType, RemoteGuardrailType } from '@portcullis/contracts/guardrail-config';
import type { CheckRule } from '@portcullis/core/guardrails/decide-check';
import type { Encryption } from '../security/encryption.ts';
import { guardrailCredentialsPlace } from '../security/sealed-places.ts';
import { findAdapter } from './adapters/find-adapter.ts';
import type { GuardrailAccess, GuardrailAdapter } from './adapters/guardrail-adapter.ts';

/** What of a provider's row says how it is asked. */
export interface StoredGuardrail {
  readonly id: number;
  readonly name: string;
  readonly provider_type: string;
  readonly config: unknown;
  /** Sealed; null when there are none. */
  readonly credentials: string | null;
  readonly timeout_ms: number;
}

/** A provider ready to be asked. Never log it: the credentials in it are in the clear. */
export interface OpenGuardrail {
  readonly id: number;
  readonly name: string;
  readonly type: GuardrailType;
  readonly timeoutMs: number;
  readonly way: RemoteWay | LocalWay;
  /** Another one as soon as anything changes about how it is asked. */
  readonly version: string;
}

/** Asked over the network. */
export interface RemoteWay {
  readonly adapter: GuardrailAdapter<RemoteGuardrailType>;
  readonly access: GuardrailAccess<RemoteGuardrailType>;
}

/** A model that this process runs itself. */
export interface LocalWay {
  readonly adapter?: undefined;
  readonly config: GuardrailConfig<'local-model'>;
}

/** @throws when the credentials cannot be decrypted */
export function openGuardrail(row: StoredGuardrail, encryption: Encryption): OpenGuardrail {
  const type = row.provider_type as GuardrailType;
  const credentials: unknown =
    row.credentials === null
      ? {}
      : JSON.parse(encryption.decrypt(row.credentials, ...guardrailCredentialsPlace(row.id)));
  const about = JSON.stringify([row.id, type, row.config, row.credentials, row.timeout_ms]);
  return {
    id: row.id,
    name: row.name,
    type,
    timeoutMs: row.timeout_ms,
    // What was stored had passed the schemas of the type.
    way:
      type === 'local-model'
        ? { config: row.config as LocalWay['config'] }
        : { adapter: findAdapter(type), access: { config: row.config, credentials } as RemoteWay['access'] },
    version: createHash('sha256').update(about).digest('base64url'),
  };
}

/** What of a provider's row says what is done about its verdicts. */
export interface StoredCheckRule {
  readonly action: string;
  readonly failure_mode: string;
  readonly min_confidence: number;
}

export const checkRuleOf = (row: StoredCheckRule): CheckRule => ({
  action: row.action === 'monitor' ? 'monitor' : 'block',
  failureMode: row.failure_mode === 'closed' ? 'closed' : 'open',
  minConfidence: row.min_confidence,
});
