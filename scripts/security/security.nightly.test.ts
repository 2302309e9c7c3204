import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startGateway, waysFor } from '../../apps/gateway/test/start-gateway.ts';
import { allAttacks } from './all-attacks.ts';
import { openGatewayStores } from './gateway-stores.ts';
import { openLaboratory, type Laboratory } from './laboratory.ts';

const quick = allAttacks.filter(({ slow }) => slow !== true);

describe.each(waysFor('services'))('attacks on a gateway, %s:', (way) => {
  let laboratory: Laboratory;
  const opened = new AsyncDisposableStack();
  beforeAll(async () => {
    const { url, admin } = opened.use(await startGateway(way, {}, ['notifier', 'a2a-hub', 'skill-hub']));
    laboratory = opened.use(await openLaboratory({ url, admin, openPlace: () => openGatewayStores(way) }));
  });
  afterAll(() => opened.disposeAsync());

  test.each(quick.map((attack) => [attack.name, attack] as const))('%s', async (_name, attack) => {
    const { isHeld, got } = await attack.run(laboratory);
    expect([isHeld, got]).toEqual([true, got]);
  });
});

test('every attack has a name of its own', () => {
  expect(new Set(allAttacks.map(({ name }) => name)).size).toBe(allAttacks.length);
});
