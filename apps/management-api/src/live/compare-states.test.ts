import { expect, test } from '@jest/globals';
import { compareStates } from './compare-states.ts';
import type { GatewayState, ProxyView } from './gateway-state.ts';

const now = new Date('2026-05-01T00:00:00Z');
const stopped: ProxyView = { name: 'one', running: false, error: null, wanted: false, generation: 0 };
const starting = { ...stopped, wanted: true };
const running = { ...starting, running: true };
const broken = { ...starting, error: 'port in use' };

const state = (fields: Partial<GatewayState>): GatewayState => ({
  proxies: new Map(),
  services: new Set(),
  deadLetters: 0,
  settings: new Map(),
  ...fields,
});
const tell = (before: Partial<GatewayState>, after: Partial<GatewayState>) =>
  compareStates(state(before), state(after), now).map(({ payload }) => payload);

test.each([
  ['a start', stopped, running, [{ status: 'started' }]],
  ['a wish', stopped, starting, []],
  ['a stop', running, stopped, [{ status: 'stopped' }]],
  ['a restart', running, { ...running, generation: 1 }, [{ status: 'started' }]],
  ['a failed start', starting, broken, [{ status: 'error', error: 'port in use' }]],
  ['the same failure', broken, broken, []],
  ['a withdrawn start', broken, stopped, [{ status: 'stopped' }]],
  ['a dead runtime', running, starting, [{ status: 'error', error: 'No live proxy runtime runs it' }]],
  ['nothing', running, running, []],
  ['a new proxy', undefined, stopped, []],
])('%s of a proxy is told', (_, before, after, expected) => {
  const proxies = new Map(before === undefined ? [] : [[1, before]]);
  expect(tell({ proxies }, { proxies: new Map([[1, after]]) })).toEqual(
    expected.map((status) => ({ id: 1, name: 'one', ...status })),
  );
});

test('services, dead letters and settings are told', () => {
  const before = { services: new Set(['notifier']), settings: new Map([['chat', 3]]) };
  const after = { services: new Set(['proxy-runtime']), deadLetters: 2, settings: new Map([['chat', 4]]) };
  expect(tell(before, after)).toMatchObject([
    { event: 'service.down', severity: 'High', details: { service: 'notifier' }, timestamp: now.toISOString() },
    { event: 'service.up', details: { service: 'proxy-runtime' } },
    { event: 'delivery.dead', details: { given_up: 2, dead_letters: 2 } },
    { event: 'settings.changed', details: { section: 'chat' } },
  ]);
  expect(tell(before, before)).toEqual([]);
});
