import { basename, dirname, join, resolve } from 'node:path';
import { completeGuardrailConfig, type GuardrailConfig } from '../../../packages/contracts/src/guardrail-config.ts';
import { createLocalModels } from '../../../packages/platform/src/guardrails/local-models/local-models.ts';
import { renderTable } from '../counts.ts';
import { isHeldOut, type Sample } from '../../../packages/detector-training/src/sample.ts';
import { measureShares, thresholdFor, type JudgedSample } from './measure-shares.ts';

const timeoutMs = 60_000;
/** Most harmless texts of one kind that may be taken for an attack. */
const falseAlarms = 0.01;
const thresholds = [0.5, 0.9, 0.99] as const;

interface Options {
  /** A folder, or the name of one in GUARDRAIL_MODELS_DIR. */
  readonly provider: string;
  /** Fields of the provider's configuration as JSON. */
  readonly config?: string | undefined;
  readonly modelsFolder: string | undefined;
}

/**
 * What a text classifier finds and what it takes for an attack at several thresholds, and at the lowest one with few false alarms:
 * that is chosen on one half of the texts, and the figures are those of the other half.
 */
export async function reportProvider(options: Options, samples: readonly Sample[]): Promise<readonly string[]> {
  const { folder, model } = placeOf(options);
  const given = JSON.parse(options.config ?? '{}') as Record<string, unknown>;
  const config = completeGuardrailConfig('local-model', { max_windows: 200, ...given, model, threshold: 0 });
  await using models = createLocalModels({ folder, maxBytes: Number.MAX_SAFE_INTEGER, threads: 2 });
  const judged: JudgedSample[] = [];
  const times: number[] = [];
  for (const sample of samples) {
    if (sample.label !== 'attack' && sample.label !== 'benign') continue;
    const startedAt = performance.now();
    const { reading } = await models.judge(
      config as GuardrailConfig<'local-model'>,
      { direction: 'request', messages: [{ role: 'user', text: sample.text }] },
      AbortSignal.timeout(timeoutMs),
      timeoutMs,
    );
    times.push(performance.now() - startedAt);
    judged.push({
      kind: sample.file,
      isAttack: sample.label === 'attack',
      isHeld: isHeldOut(sample),
      share: reading.confidence ?? 0,
    });
  }
  const tuned = judged.filter(({ isHeld }) => !isHeld);
  const held = judged.filter(({ isHeld }) => isHeld);
  const chosen = thresholdFor(tuned, falseAlarms);
  const head = ['flagged of the held-out half', 'texts', ...thresholds.map(String), `${chosen} (chosen)`];
  console.log(`\n${model}: ${judged.length} texts\n`);
  console.log(renderTable(head, measureShares(held, [...thresholds, chosen])));
  const sorted = times.toSorted((one, other) => one - other);
  const at = (share: number) =>
    (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1);
  console.log(
    `\nThreshold ${chosen}: on the other half, at most ${100 * falseAlarms} % of each kind of harmless text is flagged from there on.`,
  );
  console.log(`Time of a text: half within ${at(0.5)} ms, 99 % within ${at(0.99)} ms, two threads.`);
  return held.some(({ isAttack }) => isAttack) ? [] : ['There are no attacks among the held-out texts'];
}

function placeOf({ provider, modelsFolder }: Options): { readonly folder: string; readonly model: string } {
  if (/[/\\]/.test(provider)) {
    const path = resolve(provider);
    return { folder: dirname(path), model: basename(path) };
  }
  if (modelsFolder === undefined)
    throw new Error(`Set GUARDRAIL_MODELS_DIR, or give the path of a folder, such as ${join('.', provider)}/`);
  return { folder: resolve(modelsFolder), model: provider };
}
