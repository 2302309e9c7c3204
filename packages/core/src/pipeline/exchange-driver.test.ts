import { expect, test } from '@jest/globals';
import type { ExchangeSink, Forwarded } from './engine.ts';
import { ExchangeDriver } from './exchange-driver.ts';
import { deny, next, reply, row, type Verdict } from './stage.ts';

interface Exchange {
  readonly ran: string[];
}

const replied = { status: 200, headers: {}, body: Buffer.from('{}') };

const openDriver = (verdict: () => Verdict | Promise<Verdict>) => {
  const events: string[] = [];
  const note =
    (name: string) =>
    ({ ran }: Exchange): void =>
      void ran.push(name);
  const driver = new ExchangeDriver<Exchange, never, Forwarded<Exchange>>('llm', {
    pipeline: {
      request: [row({ name: 'decide', run: verdict }, ['llm'])],
      forward: row({ name: 'forward', run: ({ exchange }) => note('forward')(exchange) }, ['llm']),
      response: [],
      settle: [
        row({ name: 'told early', run: note('told early') }, ['llm'], { whileOpen: true }),
        row({ name: 'others', run: note('others') }, ['mcp']),
        row({ name: 'told late', run: note('told late') }, ['llm']),
      ],
    },
    observer: {
      fault: (stage) => void events.push(`fault ${stage}`),
      denied: (stage) => void events.push(`denied ${stage}`),
      settled: ({ ran }) => void events.push(`settled behind ${ran.at(-1)}`),
    },
    write({ ran }, written) {
      events.push(`write ${ran.splice(0).join(', ')}`);
      written?.();
    },
  });
  const exchange: Exchange = { ran: [] };
  const sink: ExchangeSink = {
    forward: () => void events.push('pass'),
    reply: ({ status }) => void events.push(`reply ${status}`),
    deny: ({ reason }, stage) => void events.push(`refuse ${reason} by ${stage}`),
  };
  return { driver, exchange, sink, events };
};

test.each<[string, Verdict, readonly string[]]>([
  ['lets it pass', next, ['pass']],
  ['replies', reply(replied), ['reply 200']],
  ['denies', deny('key_missing'), ['denied decide', 'refuse key_missing by decide']],
])('the sink is told at once, or when the stage has waited: it %s', async (_what, verdict, told) => {
  const soon = openDriver(() => verdict);
  expect(soon.driver.drive(soon.exchange, soon.sink)).toBeUndefined();
  expect(soon.events).toEqual(told);

  const late = openDriver(() => Promise.resolve(verdict));
  await late.driver.drive(late.exchange, late.sink);
  expect(late.events).toEqual(told);
});

test('an exchange is settled by the rows of its type, then written, and the writing is told', () => {
  const { driver, exchange, events } = openDriver(() => next);
  driver.settleWhileOpen(exchange);
  driver.settle(exchange, () => events.push('written'));
  expect(events).toEqual(['write told early', 'settled behind told late', 'write told early, told late', 'written']);
});

test('the row that forwards is run for what the sink hands it', () => {
  const { driver, exchange, sink } = openDriver(() => next);
  driver.forward({ exchange, deny: sink.deny });
  expect(exchange.ran).toEqual(['forward']);
});
