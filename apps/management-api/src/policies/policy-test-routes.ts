import { analysePatterns, testPolicy } from '@portcullis/contracts/routes/policy-tests';
import type { Document } from '@portcullis/contracts/routes/policies';
import { originSet } from '@portcullis/core/policy/origins';
import type { Policy } from '@portcullis/core/policy/policy';
import type { Database } from '@portcullis/platform/database/database';
import { bind, type BoundRoute } from '@portcullis/platform/http/bound-route';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import type { PolicyChecker } from './policy-checker.ts';
import { describeUnknownPolicy, listPolicyNames } from './check-policy-names.ts';
import { findPolicyByReference, parseFileOrThrow } from './save-policy.ts';

/** Characters of all sample texts together. */
const maxCharacters = 1_000_000;

export function policyTestRoutes(database: Database, checker: PolicyChecker): BoundRoute[] {
  const load = async (reference: string | number, path: string): Promise<Policy> => {
    const row = await findPolicyByReference(database, reference);
    if (row !== undefined) return row.document;
    const rule = describeUnknownPolicy(String(reference), await listPolicyNames(database));
    throw new GatewayError('bad_request', { problems: [{ path, rule }] });
  };
  const readPolicy = (given: Document | string | number): Promise<Policy> => {
    if (typeof given !== 'object') return load(given, '/body/policy');
    const isWrapped = typeof given['document'] === 'object';
    return isWrapped
      ? parseFileOrThrow(checker, given['document'], '/body/policy/document')
      : parseFileOrThrow(checker, given, '/body/policy');
  };

  return [
    bind(testPolicy, async ({ body }) => {
      const { test_content: texts, direction = 'request', protocol = 'llm', role, origin, tool, model, path } = body;
      checkSize(texts);
      const policies: Policy[] = [
        ...(body.policy === undefined ? [] : [await readPolicy(body.policy)]),
        ...(await Promise.all((body.policy_names ?? []).map((name, at) => load(name, `/body/policy_names/${at}`)))),
      ];
      if (policies.length === 0) {
        const rule = 'must be given, or policy_names';
        throw new GatewayError('bad_request', { problems: [{ path: '/body/policy', rule }] });
      }
      const origins = origin && originSet(origin);
      const context = { direction, protocol, role, origins, tool, model, path };
      return { data: await checker.ask('test', { policies, texts, context }) };
    }),

    bind(analysePatterns, async ({ body }) => ({ data: { patterns: await checker.ask('analyse', body.patterns) } })),
  ];
}

function checkSize(texts: readonly string[]): void {
  const characters = texts.reduce((sum, text) => sum + text.length, 0);
  if (characters <= maxCharacters) return;
  const rule = `must have at most ${maxCharacters} characters in all`;
  throw new GatewayError('bad_request', { problems: [{ path: '/body/test_content', rule }] });
}
