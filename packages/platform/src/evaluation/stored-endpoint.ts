import type { EvaluationEndpointFields } from '@portcullis/contracts/evaluation-endpoint';
import type { Selectable } from 'kysely';
import type { GuardrailEndpointsTable } from '../database/tables.ts';
import type { Encryption } from '../security/encryption.ts';
import { guardrailEndpointPlace } from '../security/sealed-places.ts';

export type EndpointRow = Selectable<GuardrailEndpointsTable>;

/** What of an endpoint is sealed. Never log it. */
export interface EndpointSecrets {
  readonly api_key: string;
  readonly custom_headers: Readonly<Record<string, string>>;
}

const none: EndpointSecrets = { api_key: '', custom_headers: {} };

/** @throws when the credentials cannot be decrypted */
export const openEndpointSecrets = (
  { id, credentials }: Pick<EndpointRow, 'id' | 'credentials'>,
  encryption: Encryption,
): EndpointSecrets =>
  credentials === null
    ? none
    : (JSON.parse(encryption.decrypt(credentials, ...guardrailEndpointPlace(id))) as EndpointSecrets);

/** Null when there are none. */
export const sealEndpointSecrets = (id: number, secrets: EndpointSecrets, encryption: Encryption): string | null =>
  secrets.api_key === '' && Object.keys(secrets.custom_headers).length === 0
    ? null
    : encryption.encrypt(JSON.stringify(secrets), guardrailEndpointPlace(id)[0]);

/** What of a stored endpoint can be asked about. Never log it: the credentials in it are in the clear. */
export function openEndpoint(row: EndpointRow, encryption: Encryption): EvaluationEndpointFields {
  const { api_key, custom_headers } = openEndpointSecrets(row, encryption);
  // What was stored had passed the schema.
  const fields = row as unknown as EvaluationEndpointFields;
  return {
    url: fields.url,
    endpoint_path: fields.endpoint_path,
    http_method: fields.http_method,
    auth_type: fields.auth_type,
    api_key,
    api_key_header: fields.api_key_header,
    custom_headers: { ...custom_headers },
    request_format: fields.request_format,
    model: fields.model,
    payload_template: fields.payload_template,
    response_format: fields.response_format,
    response_jq_expr: fields.response_jq_expr,
    timeout_seconds: fields.timeout_seconds,
  };
}
