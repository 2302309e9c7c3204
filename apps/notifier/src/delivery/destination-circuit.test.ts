import { describe, expect, test } from '@jest/globals';
import { waitFor } from '@portcullis/testkit/wait-for';
import type { DeliveryOutcome } from '../senders/delivery-outcome.ts';
import { DestinationCircuit } from './destination-circuit.ts';

const delivered: DeliveryOutcome = { kind: 'delivered', status: 200 };
const away: DeliveryOutcome = { kind: 'failed', status: null, reason: 'away' };
const refused: DeliveryOutcome = { kind: 'refused', status: 401, reason: 'no' };

/** A destination that answers what it is told to, and its circuit. */
function open(restMs = 20) {
  let answer = away;
  let attempts = 0;
  let inHand = 0;
  let mostInHand = 0;
  let isCurrent = true;
  const stop = new AbortController();
  const changes: boolean[] = [];
  const circuit = new DestinationCircuit({ restMs, onChange: (isOpen) => void changes.push(isOpen) });
  return {
    circuit,
    changes,
    stop,
    answer: (outcome: DeliveryOutcome) => void (answer = outcome),
    change: () => void (isCurrent = false),
    attempts: () => attempts,
    mostInHand: () => mostInHand,
    send: () =>
      circuit.send({
        signal: stop.signal,
        isCurrent: () => Promise.resolve(isCurrent),
        attempt: async () => {
          attempts += 1;
          inHand += 1;
          mostInHand = Math.max(mostInHand, inHand);
          await new Promise((resolve) => setImmediate(resolve));
          inHand -= 1;
          return answer;
        },
      }),
  };
}
const fail = async (world: ReturnType<typeof open>, times = 5) => {
  for (let n = 0; n < times; n += 1) expect(await world.send()).toEqual(away);
};

describe('the circuit of a destination', () => {
  test('opens after five failures in a row, and an answer of any kind begins the count anew', async () => {
    const world = open();
    await fail(world, 4);
    world.answer(refused);
    expect(await world.send()).toEqual(refused);
    world.answer(away);
    await fail(world, 4);
    expect([world.circuit.state, world.changes]).toEqual(['closed', []]);
    await fail(world, 1);
    expect([world.circuit.state, world.changes]).toEqual(['open', [true]]);
  });

  test('keeps messages in hand while it is open, tries with one at a time, and lets all go when that gets through', async () => {
    const world = open();
    await fail(world);
    const before = world.attempts();
    const sent = Promise.all(Array.from({ length: 10 }, () => world.send()));
    await waitFor(() => world.attempts() >= before + 3, { what: 'three trials' });
    expect(world.mostInHand()).toBe(1);
    world.answer(delivered);
    expect(await sent).toEqual(Array.from({ length: 10 }, () => delivered));
    expect([world.circuit.state, world.changes]).toEqual(['closed', [true, false]]);
  });

  test('asks a destination that is away no oftener than the rest allows', async () => {
    const world = open(100);
    await fail(world);
    const before = world.attempts();
    const startedAt = performance.now();
    const sent = Promise.all(Array.from({ length: 50 }, () => world.send()));
    await waitFor(() => world.attempts() >= before + 4, { what: 'four trials' });
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(390);
    world.stop.abort();
    await sent;
  });

  test('lets go of messages when the service stops, and of those whose settings have changed', async () => {
    const changed = open(60_000);
    await fail(changed);
    const waiting = changed.send();
    changed.change();
    expect(await waiting).toMatchObject({ kind: 'failed', reason: expect.stringContaining('settings changed') });
    const stopped = open(60_000);
    await fail(stopped);
    const other = stopped.send();
    stopped.stop.abort();
    expect(await other).toMatchObject({ kind: 'failed' });
    expect(stopped.attempts()).toBe(5);
  });

  test('forgets its failures for another destination', async () => {
    const world = open(60_000);
    await fail(world);
    world.answer(delivered);
    const waiting = world.send();
    world.circuit.reset();
    expect(await waiting).toEqual(delivered);
    expect([world.circuit.state, world.changes]).toEqual(['closed', [true, false]]);
  });
});
