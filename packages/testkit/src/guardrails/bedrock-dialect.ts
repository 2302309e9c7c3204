import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { RecordedRequest } from '../loopback-peer.ts';
import { at, firstBroken, listOf, type GuardrailDialect } from './guardrail-dialect.ts';

const credentials = {
  access_key_id: 'AKIDEXAMPLE',
  secret_access_key: 'wJalrXUtnFEMI/K7MDENG',
  session_token: 'session',
};
const region = 'eu-west-1';
const guardrailId = 'arn:aws:bedrock:eu-west-1:111122223333:guardrail/gr1';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

const scheme =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/([^/]+)\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/;

/** The signature worked out anew from what arrived, as the description of Signature Version 4 has it. */
function isSigned({ method, path, headers, body }: RecordedRequest): boolean {
  const [, id, day = '', where, service, names = '', signature = ''] = scheme.exec(headers.authorization ?? '') ?? [];
  const date = String(headers['x-amz-date']);
  if (id !== credentials.access_key_id || where !== region || service !== 'bedrock' || !date.startsWith(day))
    return false;
  const signed = names.split(';');
  if (!['host', 'x-amz-date', 'x-amz-security-token'].every((name) => signed.includes(name))) return false;
  // Every service but S3 signs the path encoded once more.
  const canonicalPath = path.split('/').map(encodeURIComponent).join('/');
  const canonicalHeaders = signed.map((name) => `${name}:${String(headers[name]).trim()}\n`).join('');
  const canonical = [method, canonicalPath, '', canonicalHeaders, names, sha256(body)].join('\n');
  const toSign = ['AWS4-HMAC-SHA256', date, `${day}/${region}/bedrock/aws4_request`, sha256(canonical)].join('\n');
  const key = [region, 'bedrock', 'aws4_request'].reduce(hmac, hmac(`AWS4${credentials.secret_access_key}`, day));
  return timingSafeEqual(hmac(key, toSign), Buffer.from(signature, 'hex'));
}

const texts = (body: unknown): readonly unknown[] =>
  listOf(at(body, 'content')).map((block) => at(at(block, 'text'), 'text'));

export const bedrockDialect: GuardrailDialect = {
  type: 'bedrock',
  access: (url) => ({
    config: { base_url: url, region, guardrail_id: guardrailId, guardrail_version: '2' },
    credentials,
  }),
  check: (request, body) =>
    firstBroken([
      [
        request.method === 'POST' && request.path === `/guardrail/${encodeURIComponent(guardrailId)}/version/2/apply`,
        'no such guardrail',
      ],
      [request.headers['x-amz-security-token'] === credentials.session_token, 'The security token is missing'],
      [isSigned(request), 'The request signature we calculated does not match the signature you provided'],
      [['INPUT', 'OUTPUT'].includes(String(at(body, 'source'))), 'source is missing'],
      [texts(body).length > 0 && texts(body).every((text) => typeof text === 'string'), 'content is missing'],
    ]),
  readText: (body) => texts(body).join('\n\n'),
  answer: (flagged) => ({
    usage: { topicPolicyUnits: 1, contentPolicyUnits: 1, wordPolicyUnits: 0, sensitiveInformationPolicyUnits: 0 },
    action: flagged ? 'GUARDRAIL_INTERVENED' : 'NONE',
    ...(flagged && { actionReason: 'Guardrail blocked.' }),
    outputs: flagged ? [{ text: 'Sorry, this cannot be answered.' }] : [],
    assessments: [
      flagged
        ? {
            topicPolicy: { topics: [{ name: 'Weapons', type: 'DENY', action: 'BLOCKED' }] },
            contentPolicy: {
              filters: [
                { type: 'VIOLENCE', confidence: 'MEDIUM', filterStrength: 'HIGH', action: 'BLOCKED', detected: true },
                { type: 'HATE', confidence: 'LOW', filterStrength: 'HIGH', action: 'NONE', detected: true },
              ],
            },
          }
        : {},
    ],
    guardrailCoverage: { textCharacters: { guarded: 10, total: 10 } },
  }),
};
