import type { Attack } from './attack.ts';
import type { Laboratory } from './laboratory.ts';
import type { Trial } from './report.ts';

const deadlineMs = 180_000;

/** Tries the attacks one after the other, each within three minutes. */
export async function runAttacks(
  attacks: readonly Attack[],
  laboratory: Laboratory,
  { signal, onTrial }: { readonly signal: AbortSignal; readonly onTrial: (trial: Trial) => void },
): Promise<readonly Trial[]> {
  const trials: Trial[] = [];
  for (const attack of attacks) {
    signal.throwIfAborted();
    const trial = { attack, outcome: await tryAttack(attack, laboratory, signal) };
    onTrial(trial);
    trials.push(trial);
  }
  return trials;
}

async function tryAttack(attack: Attack, laboratory: Laboratory, signal: AbortSignal): Promise<Trial['outcome']> {
  const late = AbortSignal.any([signal, AbortSignal.timeout(deadlineMs)]);
  const { promise, reject } = Promise.withResolvers<never>();
  const onLate = (): void => reject(new Error(`it took longer than ${deadlineMs / 1_000} s`));
  late.addEventListener('abort', onLate);
  try {
    return await Promise.race([attack.run(laboratory), promise]);
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  } finally {
    late.removeEventListener('abort', onLate);
  }
}
