import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { readPackage, type SkillPackage } from '../../../packages/core/src/skills/package/read-package.ts';
import examples from '../../../packages/core/src/skills/rules/rule-examples.fixture.json' with { type: 'json' };

/** One labelled skill. */
export interface SkillSample {
  readonly id: string;
  readonly label: 'malicious' | 'benign';
  /** What kind of material it is of: figures are told for each. */
  readonly tier: string;
  /** Who made it: a source is looked at whole or not at all while rules are written. */
  readonly source: string;
  readonly skill: SkillPackage;
  readonly bytes: number;
}

/** Of the other half, looked at in the end: the first half had no orders tied to other tasks, and no code in documents. */
const lookedAt: ReadonlySet<string> = new Set(['aisa-group/skill-inject', 'qualixar/skillfortify']);

/** Whether a source was not to be looked at: every second one, by the hash of its name. */
export const isHeldOutSource = (source: string): boolean =>
  !lookedAt.has(source) && (createHash('sha256').update(source).digest()[0] ?? 0) % 2 === 1;

/** The examples of the rules, each as a skill of its own. */
export function ownSkillSamples(): readonly SkillSample[] {
  return Object.entries(examples).flatMap(([rule, { malicious, harmless }]) => [
    ...malicious.map((text, index) => ownSample(`${rule}-malicious-${index}`, 'malicious', text)),
    ...harmless.map((text, index) => ownSample(`${rule}-harmless-${index}`, 'benign', text)),
  ]);
}

function ownSample(id: string, label: SkillSample['label'], example: string): SkillSample {
  const [, path = 'SKILL.md', text = example] = /^([\w./-]+)\| ([^]*)$/.exec(example) ?? [];
  const bytes = new TextEncoder().encode(text);
  return { id, label, tier: 'own examples', source: 'own', skill: readPackage([{ path, bytes }]), bytes: bytes.length };
}

/**
 * Reads the skills of a folder: `manifest.jsonl` with `id`, `label`, `tier` and `source` a line, and one folder `<label>/<id>`
 * for each. Throws on a line that is not so.
 */
export function* loadSkillSamples(folder: string): Generator<SkillSample> {
  const lines = readFileSync(join(folder, 'manifest.jsonl'), 'utf8').split('\n');
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '') continue;
    const { id, label, tier, source } = JSON.parse(line) as Record<string, unknown>;
    if (typeof id !== 'string' || /[/\\]|^\.\.?$/.test(id) || (label !== 'malicious' && label !== 'benign'))
      throw new Error(`manifest.jsonl:${index + 1}: needs "id" and "label", malicious or benign`);
    const root = join(folder, label, id);
    const files = filesBelow(root).map((path) => ({ path: relative(root, path), bytes: readFileSync(path) }));
    yield {
      id,
      label,
      tier: typeof tier === 'string' ? tier : 'other',
      // The repository: what stands behind it says where in it.
      source: (typeof source === 'string' ? (source.split(' ')[0] ?? '') : id).replace(/,$/, '').toLowerCase(),
      skill: readPackage(files),
      bytes: files.reduce((sum, { bytes }) => sum + bytes.length, 0),
    };
  }
}

const filesBelow = (folder: string): readonly string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? filesBelow(join(folder, entry.name)) : entry.isFile() ? [join(folder, entry.name)] : [],
  );
