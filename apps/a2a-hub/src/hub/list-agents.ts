import type { Problem } from '@portcullis/contracts/envelope';
import type { AgentStatus } from '@portcullis/contracts/routes/agents';
import { agentStatuses } from '@portcullis/contracts/routes/agents';
import { objectOf } from '@portcullis/core/json/json-object';

/** What a caller asks of the list. */
export interface ListParams {
  readonly status?: AgentStatus | undefined;
  readonly search?: string | undefined;
  readonly limit: number;
  readonly offset: number;
}

export type ParsedParams<Params> =
  | { readonly params: Params; readonly problems?: never }
  | { readonly problems: readonly Problem[]; readonly params?: never };

const maxSearchLength = 200;
const maxOffset = 1_000_000;

export function parseListParams(given: unknown): ParsedParams<ListParams> {
  const { status, search, limit = 50, offset = 0 } = objectOf(given ?? {}) ?? {};
  const problems: Problem[] = [];
  const check = (isRight: boolean, path: string, rule: string): void => {
    if (!isRight) problems.push({ path, rule });
  };
  check(given === undefined || given === null || objectOf(given) !== undefined, '', 'must be an object');
  const known = agentStatuses.find((each) => each === status);
  check(status === undefined || known !== undefined, '/status', `must be one of ${agentStatuses.join(', ')}`);
  const isText = typeof search === 'string' && search.length <= maxSearchLength;
  check(search === undefined || isText, '/search', `must be a text of at most ${maxSearchLength} characters`);
  check(isWithin(limit, 1, 100), '/limit', 'must be a whole number from 1 to 100');
  check(isWithin(offset, 0, maxOffset), '/offset', `must be a whole number from 0 to ${maxOffset}`);
  if (problems.length > 0) return { problems };
  return {
    params: { status: known, search: isText ? search : undefined, limit: Number(limit), offset: Number(offset) },
  };
}

export function parseAgentId(given: unknown): ParsedParams<number> {
  const id = objectOf(given)?.['agent_id'];
  return isWithin(id, 1, 2_147_483_647)
    ? { params: Number(id) }
    : { problems: [{ path: '/agent_id', rule: 'must be the id of an agent' }] };
}

const isWithin = (value: unknown, minimum: number, maximum: number): boolean =>
  Number.isInteger(value) && Number(value) >= minimum && Number(value) <= maximum;
