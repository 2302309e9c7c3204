import type { LiveEvent } from '@portcullis/contracts/events';
import type { ProxyStatusEvent, SystemEvent } from '@portcullis/contracts/live-events';
import type { GatewayState, ProxyView } from './gateway-state.ts';

/** What happened between two looks at the gateway. */
export const compareStates = (before: GatewayState, after: GatewayState, now: Date): readonly LiveEvent[] => [
  ...[...after.proxies].flatMap(([id, proxy]) => tellProxy(id, before.proxies.get(id), proxy)),
  ...tellSystem(before, after).map((event): LiveEvent => ({
    type: 'system_event',
    payload: { ...event, timestamp: now.toISOString() },
  })),
];

function tellProxy(id: number, before: ProxyView | undefined, after: ProxyView): readonly LiveEvent[] {
  const status = compareProxies(before, after);
  return status === undefined ? [] : [{ type: 'proxy_status', payload: { id, name: after.name, ...status } }];
}

function compareProxies(
  before: ProxyView | undefined,
  after: ProxyView,
): Pick<ProxyStatusEvent, 'status' | 'error'> | undefined {
  const ran = before?.running === true;
  if (after.running) {
    const restarted = before?.generation !== after.generation;
    return ran && !restarted ? undefined : { status: 'started' };
  }
  if (after.error !== null) {
    return !ran && before?.error === after.error ? undefined : { status: 'error', error: after.error };
  }
  if (!ran) return before?.error === null || before === undefined || after.wanted ? undefined : { status: 'stopped' };
  return after.wanted ? { status: 'error', error: 'No live proxy runtime runs it' } : { status: 'stopped' };
}

function tellSystem(before: GatewayState, after: GatewayState): readonly Omit<SystemEvent, 'timestamp'>[] {
  const down = [...before.services].filter((service) => !after.services.has(service));
  const up = [...after.services].filter((service) => !before.services.has(service));
  const changed = [...after.settings].filter(([section, revision]) => before.settings.get(section) !== revision);
  const dead = after.deadLetters - before.deadLetters;
  return [
    ...down.map((service) => ({
      event: 'service.down',
      message: `No ${service} gives a sign of life`,
      severity: 'High' as const,
      details: { service },
    })),
    ...up.map((service) => ({
      event: 'service.up',
      message: `A ${service} is there`,
      severity: 'Low' as const,
      details: { service },
    })),
    ...(dead <= 0
      ? []
      : [
          {
            event: 'delivery.dead',
            message: `${dead} alert ${dead === 1 ? 'delivery was' : 'deliveries were'} given up`,
            severity: 'High' as const,
            details: { given_up: dead, dead_letters: after.deadLetters },
          },
        ]),
    ...changed.map(([section]) => ({
      event: 'settings.changed',
      message: `The settings of ${section} were changed`,
      severity: 'Low' as const,
      details: { section },
    })),
  ];
}
