import { executionAsyncResource } from 'node:async_hooks';

const kept: object[] = [];

/**
 * Keeps one tick for as long as the process lives. Node makes a tick (`process.nextTick`) of a literal with computed
 * names. When full collections find none, V8 forgets the shape of ticks and takes eight times as long for each from
 * then on, and a request takes a dozen.
 */
export function keepTick(): void {
  process.nextTick(() => kept.push(executionAsyncResource()));
}
