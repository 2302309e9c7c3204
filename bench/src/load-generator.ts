import { fileURLToPath } from 'node:url';
import { isObject } from '@portcullis/testkit/is-object';
import { startChild } from './child.ts';
import type { LoadAnswer, LoadOrder, LoadResult } from './load-order.ts';

export interface LoadGenerator extends AsyncDisposable {
  /** @throws when an answer was wrong or did not come, with what was said */
  run(order: LoadOrder): Promise<LoadResult>;
}

const isAnswer = (message: unknown): message is LoadAnswer =>
  isObject(message) && ('result' in message || 'error' in message);

const script = fileURLToPath(new URL('load.ts', import.meta.url));

export async function openLoadGenerator(
  core: number | undefined,
  folder: string,
  signal: AbortSignal,
): Promise<LoadGenerator> {
  const child = await startChild({
    name: 'load',
    command: process.execPath,
    parameters: [script],
    core,
    folder,
    messages: true,
  });
  await child.nextMessage(signal);
  return {
    run: async (order) => {
      child.send(order);
      const answer = await child.nextMessage(signal);
      if (!isAnswer(answer)) throw new Error('The load generator is not the one of this laboratory');
      if ('error' in answer) throw new Error(answer.error);
      return answer.result;
    },
    [Symbol.asyncDispose]: () => child[Symbol.asyncDispose](),
  };
}
