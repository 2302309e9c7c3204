import { describe, expect, test } from '@jest/globals';
import { eventKinds, type GatewayEvent } from '@portcullis/contracts/gateway-events';
import { anEvent } from '../an-alert.fixture.ts';
import { eventItem } from './render-event.ts';

/** As ECS 8.11 has them. https://www.elastic.co/guide/en/ecs/8.11/ecs-category-field-values-reference.html */
const allowedTypes: Readonly<Record<string, readonly string[]>> = {
  authentication: ['start', 'end', 'info'],
  configuration: ['access', 'change', 'creation', 'deletion', 'info'],
  iam: ['admin', 'change', 'creation', 'deletion', 'group', 'info', 'user'],
  intrusion_detection: ['allowed', 'denied', 'info'],
  process: ['access', 'change', 'end', 'info', 'start'],
};

interface Shown {
  readonly ecs: {
    readonly event: {
      readonly category?: readonly string[];
      readonly type: readonly string[];
      readonly outcome: string;
    };
  };
  readonly ocsf: {
    readonly class_uid: number;
    readonly activity_id: number;
    readonly type_uid: number;
    readonly status_id: number;
  };
}

const show = (change: Partial<GatewayEvent>) => eventItem(anEvent(change)).body() as unknown as Shown;

describe('an event in the schemas', () => {
  test.each<[Partial<GatewayEvent>, readonly string[] | undefined, readonly string[], number, number]>([
    [{ kind: 'authentication', event: 'auth.login' }, ['authentication'], ['start'], 3_002, 1],
    [
      { kind: 'authentication', event: 'auth.login.failed', result: 'failure' },
      ['authentication'],
      ['start'],
      3_002,
      1,
    ],
    [{ kind: 'authentication', event: 'auth.logout' }, ['authentication'], ['end'], 3_002, 2],
    [{ kind: 'authentication', event: 'auth.token.refresh' }, ['authentication'], ['info'], 3_002, 99],
    [{ kind: 'authentication', event: 'security.access.denied' }, ['intrusion_detection'], ['denied'], 3_002, 99],
    [{ event: 'user.created' }, ['iam'], ['user', 'creation'], 6_003, 1],
    [{ event: 'usergroup.deleted' }, ['iam'], ['group', 'deletion'], 6_003, 4],
    [{ event: 'policy.updated' }, ['configuration'], ['change'], 6_003, 3],
    [{ kind: 'proxy_status', event: 'proxy.started' }, ['process'], ['start'], 6_002, 3],
    [{ kind: 'proxy_status', event: 'proxy.stopped' }, ['process'], ['end'], 6_002, 4],
    [{ kind: 'proxy_status', event: 'proxy.error', result: 'failure' }, ['process'], ['info'], 6_002, 99],
    [{ kind: 'integration_status', event: 'integration.failing' }, undefined, ['info'], 6_002, 99],
    [{ kind: 'system', event: 'service.down' }, undefined, ['info'], 6_002, 99],
  ])('%j', (change, category, type, ocsfClass, activity) => {
    const { ecs, ocsf } = show(change);
    expect(ecs.event).toMatchObject({ type, outcome: change.result ?? 'success' });
    expect(ecs.event.category).toEqual(category);
    expect(ocsf).toMatchObject({
      class_uid: ocsfClass,
      activity_id: activity,
      type_uid: ocsfClass * 100 + activity,
      status_id: change.result === 'failure' ? 2 : 1,
    });
  });

  test.each(eventKinds)('of %s has types that ECS allows for its category', (kind) => {
    for (const event of ['auth.login', 'user.created', 'proxy.error', 'skill.deleted', 'session.released']) {
      const { category = [], type } = show({ kind, event }).ecs.event;
      for (const name of category) expect(allowedTypes[name]).toEqual(expect.arrayContaining([...type]));
    }
  });

  test('of nobody and nothing has no empty fields for either', () => {
    const { ecs, ocsf } = eventItem(anEvent({ kind: 'system', actor: null, resource: null, source_ip: null })).body();
    expect(ecs).not.toHaveProperty('user');
    expect(ecs).not.toHaveProperty('source');
    expect(ocsf).toMatchObject({ app: { name: 'AI security gateway', vendor_name: 'Portcullis' } });
  });
});
