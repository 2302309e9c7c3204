import type { ChainVerdict, ResponseChain } from '@portcullis/core/pipeline/response-chain';
import type { StreamUnit } from '../framing/stream-unit.ts';

/** What became of one message: the bytes that leave, or why none do. */
export type Inspected = Pick<ChainVerdict<StreamUnit>, 'units' | 'cut'>;

/** Sends one message through a chain that is opened for it alone. */
export function inspectMessage(chain: ResponseChain<StreamUnit>, unit: StreamUnit): Inspected | Promise<Inspected> {
  if (!chain.active) return { units: [unit], cut: null };
  const first = chain.push(unit);
  const last = first.cut === null ? chain.end() : first;
  const units = last === first ? first.units : [...first.units, ...last.units];
  if (last.ended) {
    chain.close();
    return { units, cut: last.cut };
  }
  // A filter waits for a verdict from outside.
  return new Promise((resolve) => {
    const released = [...units];
    chain.listen((late) => {
      released.push(...late.units);
      if (late.cut === null && !late.ended) return;
      chain.close();
      resolve({ units: released, cut: late.cut });
    });
  });
}
