import { analysePatterns, testPolicy } from '@portcullis/contracts/routes/policy-tests';
import { originSet } from '@portcullis/core/policy/origins';
import type { Policy } from '@portcullis/core/policy/policy';
import type { Database } from '@portcullis/platform/database/database';
import { exceptionSource } from '@portcullis/platform/policies/exception-source';
import { bind, type BoundRoute } from '@portcullis/platform/routes/bound-route';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { createRequestedPolicies } from './requested-policies.ts';
import type { PolicyChecker } from '../policies/policy-checker.ts';

/** Characters of all sample texts together. */
const maxCharacters = 1_000_000;

export function policyTestRoutes(database: Database, checker: PolicyChecker): BoundRoute[] {
  const given = createRequestedPolicies(database, checker);

  return [
    bind(testPolicy, async ({ body }) => {
      const { test_content: texts, direction = 'request', protocol = 'llm', role, origin, tool, model, path } = body;
      checkSize(texts);
      const policies: Policy[] = [
        ...(body.policy === undefined ? [] : [await given.read(body.policy, '/body/policy')]),
        ...(await Promise.all(
          (body.policy_names ?? []).map((name, at) => given.load(name, `/body/policy_names/${at}`)),
        )),
      ];
      if (policies.length === 0) {
        const rule = 'must be given, or policy_names';
        throw new GatewayError('bad_request', { problems: [{ path: '/body/policy', rule }] });
      }
      const origins = origin && originSet(origin);
      const context = { direction, protocol, role, origins, tool, calledTool: tool, model, path };
      const traffic = { proxyId: body.proxy_id, agentId: body.agent_id, userGroupId: body.user_group_id };
      const exceptions = [...(await exceptionSource.load(database.kysely))];
      return { data: await checker.ask('test', { policies, texts, context, exceptions, traffic }) };
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
