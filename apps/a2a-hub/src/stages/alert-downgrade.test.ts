import { expect, test } from '@jest/globals';
import type { Route } from '@portcullis/core/a2a/protocol-version';
import type { Invocation } from '../invocation/invocation.ts';
import { createAlertDowngrade } from './alert-downgrade.ts';

const routeOf = (version: Route['version']): Route => ({ url: 'http://agent.example/', binding: 'JSONRPC', version });

/** Only what the stage looks at. */
const answeredOver = (routes: readonly Route[], route: Route | undefined): Invocation => {
  const proxy = { id: 1, type: 'a2a', name: 'maps', routes };
  return { route, proxy, records: [], id: 'r', clientIp: '192.0.2.1', path: '/' } as unknown as Invocation;
};

test('an agent that speaks an older generation than its card says is told once', () => {
  const { run } = createAlertDowngrade();
  const routes = [routeOf('1.0'), routeOf('0.3')];
  const first = answeredOver(routes, routeOf('0.3'));
  run(first);
  expect(first.records).toMatchObject([
    { kind: 'alert', rule_id: 'A2A_PROTOCOL_DOWNGRADE', raw_data: { offered: '1.0', spoken: '0.3' } },
  ]);
  const second = answeredOver(routes, routeOf('0.3'));
  run(second);
  expect(second.records).toEqual([]);
  // Another card is another promise.
  const later = answeredOver([routeOf('0.3')], routeOf('0.2'));
  run(later);
  expect(later.records).toHaveLength(1);
});

test('one that speaks what its card says, or a newer one, is not', () => {
  const { run } = createAlertDowngrade();
  for (const [offered, spoken] of [
    ['1.0', '1.0'],
    ['0.2', '0.3'],
  ] as const) {
    const invocation = answeredOver([routeOf(offered)], routeOf(spoken));
    run(invocation);
    expect(invocation.records).toEqual([]);
  }
  const unanswered = answeredOver([routeOf('1.0')], undefined);
  run(unanswered);
  expect(unanswered.records).toEqual([]);
});
