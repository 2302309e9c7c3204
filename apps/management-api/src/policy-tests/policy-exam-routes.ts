import { examLimits, type ExamLabel } from '@portcullis/contracts/policy-exam';
import type { AlertStatus } from '@portcullis/contracts/records';
import { evaluatePolicy } from '@portcullis/contracts/routes/policy-tests';
import { suiteSamples, type ExamSample } from '@portcullis/core/evaluation/exam/exam-sample';
import type { LoggedVerdict, SetPolicy } from '@portcullis/core/evaluation/exam/logged-verdict';
import { parseSamples } from '@portcullis/core/evaluation/exam/parse-samples';
import type { Policy } from '@portcullis/core/policy/policy';
import type { Database } from '@portcullis/platform/database/database';
import { examOrigins } from '@portcullis/platform/evaluation/exam-origins';
import { bind, type BoundRoute, type Call } from '@portcullis/platform/routes/bound-route';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { sql } from 'kysely';
import { createRequestedPolicies } from './requested-policies.ts';
import type { PolicyChecker } from '../policies/policy-checker.ts';
import { findPolicyByName } from '../policies/policy-queries.ts';

interface ExamParts {
  readonly database: Database;
  readonly checker: PolicyChecker;
  /** Takes longer than other checks, which do not wait for it. */
  readonly examiner: PolicyChecker;
}

type ExamBody = Call<(typeof evaluatePolicy)['parts']>['body'];

export function policyExamRoutes({ database, checker, examiner }: ExamParts): BoundRoute[] {
  const given = createRequestedPolicies(database, checker);

  return [
    bind(evaluatePolicy, async ({ body }) => {
      const samples = readSamples(body);
      const { policies, protocol: ofProxy = 'llm', trustedRoles } = await given.readSet(body, '/body');
      if (policies.length === 0 && body.proxy_id === undefined)
        throw problem('/body/policy', 'must be given, or policy_names or proxy_id');
      const { before = body.proxy_id === undefined ? undefined : { proxy_id: body.proxy_id } } = body;
      const earlier = before && (await given.readSet(before, '/body/before')).policies;
      const logged = body.logged === undefined ? [] : await listVerdicts(database, body.logged, body.proxy_id);
      const { protocol = ofProxy, model, path } = body;
      const data = await examiner.ask('examine', {
        policies,
        before: earlier,
        samples,
        logged,
        known: logged.length === 0 ? [] : await loadStored(database, [...policies, ...(earlier ?? [])]),
        traffic: { protocol, model, path, origins: examOrigins(protocol, trustedRoles) },
      });
      return { data };
    }),
  ];
}

/** @throws {GatewayError} */
function readSamples({ suite, samples: lines, logged }: ExamBody): readonly ExamSample[] {
  const isSuiteMeant = suite ?? (lines === undefined && logged === undefined);
  const cases = isSuiteMeant === false ? [] : suiteSamples(isSuiteMeant === true ? undefined : isSuiteMeant);
  const own = lines === undefined ? [] : parseSamplesOrThrow(lines);
  if (cases.length + own.length === 0 && logged === undefined)
    throw problem('/body/suite', 'must be taken, or samples or logged given');
  return [...cases, ...own];
}

function parseSamplesOrThrow(lines: string): readonly ExamSample[] {
  const { samples, problems } = parseSamples(lines);
  if (problems !== undefined) {
    throw new GatewayError('bad_request', {
      message: `The samples are not valid: ${problems[0]}`,
      problems: problems.map((rule) => ({ path: '/body/samples', rule })),
    });
  }
  const characters = samples.reduce((sum, { texts }) => sum + texts.reduce((all, { text }) => all + text.length, 0), 0);
  if (characters > examLimits.characters)
    throw problem('/body/samples', `must have at most ${examLimits.characters} characters of text in all`);
  return samples;
}

/** Alerts among which the latest verdicts are looked for: others than policies raise some, too. */
const maxAlerts = 20_000;

/** What reviewers say of an alert when they are done with it. */
const labelOf: Partial<Record<AlertStatus, ExamLabel>> = { resolved: 'attack', false_positive: 'benign' };

/** The latest verdicts of policies on traffic, the newest first. */
async function listVerdicts(
  { kysely }: Database,
  count: number,
  proxyId: number | undefined,
): Promise<readonly LoggedVerdict[]> {
  const rows = await kysely
    .selectFrom(({ selectFrom }) =>
      selectFrom('alerts')
        .select(['id', 'status', 'category', sql`raw_data -> 'rules'`.as('rules')])
        .where('deleted_at', 'is', null)
        .$if(proxyId !== undefined, (query) => query.where('proxy_id', '=', proxyId ?? 0))
        .orderBy('id', 'desc')
        .limit(maxAlerts)
        .as('latest'),
    )
    .selectAll()
    .where(sql<boolean>`jsonb_typeof(rules) = 'array'`)
    .orderBy('id', 'desc')
    .limit(count)
    .execute();
  return rows.map(({ id, status, category, rules }) => ({
    id: String(id),
    label: labelOf[status as AlertStatus] ?? null,
    category,
    rules: rules as LoggedVerdict['rules'],
  }));
}

/** The policies as they are stored under the names of these. */
async function loadStored(database: Database, policies: readonly SetPolicy[]): Promise<readonly Policy[]> {
  const names = new Set(policies.map(({ policy }) => policy.name));
  const rows = await Promise.all(Array.from(names, (name) => findPolicyByName(database, name)));
  return rows.flatMap((row) => row?.document ?? []);
}

const problem = (path: string, rule: string): GatewayError =>
  new GatewayError('bad_request', { problems: [{ path, rule }] });
