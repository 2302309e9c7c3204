import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { TestGateway } from '@portcullis/testkit/test-gateway';
import { runConformanceSuite } from './run-conformance-suite.ts';
import { startGateway } from './start-gateway.ts';

/** Those that a server can pass without the tools that the suite brings for its own servers. */
const scenarios = [
  ['2025-11-25', 'server-initialize'],
  ['2025-11-25', 'ping'],
  ['2025-11-25', 'tools-list'],
  ['2025-11-25', 'server-sse-multiple-streams'],
  ['2025-11-25', 'server-session-lifecycle'],
  ['2025-11-25', 'dns-rebinding-protection'],
  ['2026-07-28', 'tools-list'],
  ['2026-07-28', 'server-sse-multiple-streams'],
  ['2026-07-28', 'dns-rebinding-protection'],
  ['2026-07-28', 'http-header-validation'],
  ['2026-07-28', 'input-required-result-unsupported-methods'],
] as const;

/** Of the skills extension, for the hub. */
const skillScenarios = [
  ['extension', 'sep-2640-skills-enumeration'],
  ['extension', 'sep-2640-skills-manifest'],
  ['2026-07-28', 'resources-list'],
] as const;

const servers = [
  ['mcp', scenarios],
  ['mcp/skill-security', [...scenarios, ...skillScenarios]],
] as const;

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway('one process');
});
afterAll(async () => {
  await gateway?.[Symbol.asyncDispose]();
});

describe.each(servers)("the conformance suite on the gateway's own server /api/v1/%s", (path, scenarios) => {
  test('passes every scenario that needs no tools of the suite', async () => {
    // One of the scenarios is about the names of a server on loopback.
    const url = `${gateway.url.replace('127.0.0.1', 'localhost')}/api/v1/${path}`;
    const judged: (readonly [string, string, string])[] = [];
    for (const [requirements, scenario] of scenarios) {
      const { verdicts, output } = await runConformanceSuite(url, requirements, scenario);
      const statuses = new Set(Object.values(verdicts).flatMap((status) => status.split(' ')));
      const passed = statuses.has('SUCCESS') && !statuses.has('FAILURE');
      judged.push([requirements, scenario, passed ? 'passed' : output]);
    }
    expect(judged).toEqual(scenarios.map(([requirements, scenario]) => [requirements, scenario, 'passed']));
  });
});
