import { expect, test } from '@jest/globals';
import { allRoutes } from './all-routes.ts';
import { auditEvents, auditSeverities } from './audit-events.ts';

/** `POST /things` of every route that breaks the rule. */
const breaking = (rule: (route: (typeof allRoutes)[number]) => boolean) =>
  allRoutes.filter((route) => !rule(route)).map(({ method, path }) => `${method} ${path}`);

test('every route that is not a GET says what it leaves in the audit log, or why nothing', () => {
  expect(breaking(({ method, audit }) => method === 'GET' || audit !== undefined)).toEqual([]);
  const explained = ({ audit }: (typeof allRoutes)[number]) =>
    typeof audit !== 'object' || !('none' in audit) || audit.none.length >= 10;
  expect(breaking(explained)).toEqual([]);
});

test('event types are words with dots between, each with a severity', () => {
  for (const [type, severity] of Object.entries(auditEvents)) {
    expect(type).toMatch(/^[a-z]+[a-z_]*(\.[a-z_]+){0,3}$/);
    expect(auditSeverities).toContain(severity);
  }
});
