// Started by tune-engine.test.ts: collects all garbage some times when there is no tick, and says what V8 knows of ticks.
import { setTimeout } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext, runInThisContext } from 'node:vm';
import { keepTick } from '../../src/process/tune-engine.ts';

type Feedback = readonly (readonly [kind: string, state: string])[];

setFlagsFromString('--expose-gc');
setFlagsFromString('--allow-natives-syntax');
const collect = runInNewContext('gc') as () => void;
const readFeedback = runInThisContext('(code) => %GetFeedback(code)') as (code: object) => Feedback;

const tick = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve));

keepTick();
for (let count = 0; count < 100; count += 1) await tick();
for (let count = 0; count < 5; count += 1) {
  await setTimeout(1);
  collect();
  await setTimeout(1);
  await tick();
}
const names = readFeedback(process.nextTick).filter(([kind]) => kind === 'DefineKeyedOwnPropertyInLiteral');
process.stdout.write(`${[...new Set(names.map(([, state]) => state))].join(' ')}\n`);
