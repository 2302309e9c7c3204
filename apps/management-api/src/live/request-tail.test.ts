import { expect, test } from '@jest/globals';
import type { RequestSummary } from '@portcullis/contracts/routes/requests';
import { RequestTail } from './request-tail.ts';

/** The latest requests are those with the highest ids, unless one is put in behind. */
const openTail = () => {
  const requests: RequestSummary[] = [];
  const tail = new RequestTail((limit) => Promise.resolve(requests.slice(0, limit)));
  const add = (from: number, to = from) => {
    for (let id = from; id <= to; id += 1) requests.unshift({ id } as RequestSummary);
  };
  const next = async () => {
    const event = await tail.next();
    return event && { ...event, requests: event.requests.map(({ id }) => id) };
  };
  return { requests, tail, add, next };
};

test('tells what came since, oldest first, and nothing twice', async () => {
  const { add, next, requests } = openTail();
  add(1, 3);
  expect(await next()).toBeUndefined();
  expect(await next()).toBeUndefined();
  add(4, 5);
  expect(await next()).toEqual({ requests: [4, 5], omitted: 0 });
  // One that began earlier and took longer.
  requests.splice(3, 0, { id: 6 } as RequestSummary);
  expect(await next()).toEqual({ requests: [6], omitted: 0 });
  expect(await next()).toBeUndefined();
});

test('of too many the latest, and says so', async () => {
  const { add, next } = openTail();
  add(1);
  await next();
  add(2, 120);
  const event = await next();
  expect(event).toMatchObject({ requests: { length: 50 }, omitted: 69 });
  expect([event?.requests[0], event?.requests.at(-1)]).toEqual([71, 120]);
  add(121, 1_000);
  expect(await next()).toMatchObject({ requests: { length: 50 }, omitted: 150 });
});

test('nothing of what came while nobody listened', async () => {
  const { add, next, tail } = openTail();
  add(1);
  await next();
  tail.forget();
  add(2, 9);
  expect(await next()).toBeUndefined();
  add(10);
  expect(await next()).toMatchObject({ requests: [10] });
});
