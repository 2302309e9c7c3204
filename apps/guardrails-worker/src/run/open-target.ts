import type { EndpointConnections } from '@portcullis/platform/evaluation/endpoint-connection';
import { openEndpointTarget, type EndpointTarget } from '@portcullis/platform/evaluation/open-endpoint-target';
import type { GuardrailClient } from '@portcullis/platform/guardrails/guardrail-client';
import { openGuardrail } from '@portcullis/platform/guardrails/stored-provider';
import type { Infrastructure } from '@portcullis/platform/service/infrastructure';
import { problemText } from '@portcullis/platform/errors/problem';
import type { EvaluationRow } from '../evaluations/evaluation-queries.ts';
import { createEndpointTarget } from './endpoint-target.ts';
import { createModelJudge } from './model-judge.ts';
import { createProviderTarget } from './provider-target.ts';
import type { Target } from './target.ts';

export interface TargetParts extends Pick<Infrastructure, 'database' | 'encryption' | 'config'> {
  readonly connections: EndpointConnections;
  readonly guardrails: GuardrailClient;
}

type OpenedTarget =
  | { readonly target: Target; readonly problem?: undefined }
  | Extract<EndpointTarget, { readonly problem: string }>;

/** Opens what an evaluation is of. Here, and nowhere else, its credentials are in the clear. */
export async function openTarget(parts: TargetParts, evaluation: EvaluationRow): Promise<OpenedTarget> {
  const { endpoint_id: endpointId, judge_endpoint_id: judgeId, seed } = evaluation;
  if (endpointId === null) return openProvider(parts, evaluation);
  const reached = await reach(parts, endpointId, 'The endpoint was deleted');
  if (reached.problem !== undefined) return reached;
  if (judgeId === null) return { target: createEndpointTarget(reached, seed, undefined) };
  const judge = await reach(parts, judgeId, 'The endpoint of the judging model was deleted');
  if (judge.problem !== undefined) return judge;
  return { target: createEndpointTarget(reached, seed, createModelJudge(judge)) };
}

async function reach(parts: TargetParts, id: number, missing: string): Promise<EndpointTarget> {
  const row = await parts.database.kysely
    .selectFrom('guardrail_endpoints')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  return row === undefined ? { problem: missing } : catchUnreadableCredentials(() => openEndpointTarget(parts, row));
}

async function openProvider(
  { database, encryption, guardrails }: TargetParts,
  { guardrail_provider_id: id, seed }: EvaluationRow,
): Promise<OpenedTarget> {
  const row = await database.kysely
    .selectFrom('guardrail_providers')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  if (row === undefined) return { problem: 'The guardrail provider was deleted' };
  return catchUnreadableCredentials(async () => ({
    target: createProviderTarget(guardrails, openGuardrail(row, encryption), seed),
  }));
}

/** Credentials of another encryption key cannot be opened, today and tomorrow. */
async function catchUnreadableCredentials<Opened>(
  open: () => Promise<Opened>,
): Promise<Opened | { readonly problem: string }> {
  try {
    return await open();
  } catch (error) {
    return { problem: `The credentials cannot be opened: ${problemText(error)}` };
  }
}
