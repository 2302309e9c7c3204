import type { Problem } from '@portcullis/contracts/envelope';
import { policyFileLimits, type PolicyRule, type PolicySignal } from '@portcullis/contracts/policy-file';
import { ObjectReader } from './object-reader.ts';
import { parseDetectors } from './parse-detectors.ts';
import { parsePatternList } from './parse-pattern.ts';
import { withoutUndefined } from '../plan/present-fields.ts';

/** What no window or threshold is larger than. */
const maxWindow = 100_000;
const maxWeight = 1_000;

/** The weighted signals of a rule and when they come to a match; nothing of it when there are none. */
export function parseSignals(
  reader: ObjectReader,
  problems: Problem[],
): { [Key in 'signals' | 'threshold' | 'long_threshold' | 'window']: PolicyRule[Key] | undefined } {
  const items = reader.list('signals');
  const threshold = reader.number(0, maxWeight * policyFileLimits.signals, 'threshold');
  const longThreshold = reader.number(0, maxWeight * policyFileLimits.signals, 'long_threshold');
  const window = reader.number(1, maxWindow, 'window');
  const limit = policyFileLimits.signals;
  if (items.length > limit) reader.report(items[limit]?.path ?? '', `is one too many: at most ${limit} signals`);
  const signals = items.slice(0, limit).flatMap(({ value, path }) => parseSignal(value, path, problems) ?? []);
  if (items.length === 0) {
    if (threshold !== undefined) reader.report(`${reader.path}/threshold`, 'is for rules with signals');
    if (longThreshold !== undefined) reader.report(`${reader.path}/long_threshold`, 'is for rules with signals');
    return { signals: undefined, threshold: undefined, long_threshold: undefined, window: undefined };
  }
  const reachable = signals.reduce((sum, { weight }) => sum + weight, 0);
  if (threshold === undefined || threshold <= 0) reader.report(`${reader.path}/threshold`, 'must be given, above 0');
  else if (signals.length === items.length && threshold > reachable) {
    reader.report(`${reader.path}/threshold`, `must be at most ${reachable}, the sum of the weights`);
  }
  if (longThreshold !== undefined && signals.length === items.length) {
    if (longThreshold < (threshold ?? 0))
      reader.report(`${reader.path}/long_threshold`, 'must not be below the threshold');
    else if (longThreshold > reachable)
      reader.report(`${reader.path}/long_threshold`, `must be at most ${reachable}, the sum of the weights`);
  }
  checkNames(signals, items, reader);
  return { signals, threshold, long_threshold: longThreshold, window };
}

function checkNames(
  signals: readonly PolicySignal[],
  items: readonly { readonly path: string }[],
  reader: ObjectReader,
): void {
  for (const [index, { name }] of signals.entries()) {
    const earlier = signals.findIndex((signal) => signal.name === name);
    if (earlier < index) reader.report(`${items[index]?.path}/name`, `must be unique: signal ${earlier} has the same`);
  }
}

function parseSignal(value: unknown, path: string, problems: Problem[]): PolicySignal | undefined {
  const reader = ObjectReader.open(value, path, problems);
  if (reader === undefined) return undefined;
  const name = reader.text(200, 'name', 'id') ?? '';
  if (name === '') reader.report(`${path}/name`, 'must be given');
  const weight = reader.number(0, maxWeight, 'weight') ?? 1;
  if (weight <= 0) reader.report(`${path}/weight`, 'must be above 0');
  const before = problems.length;
  const patterns =
    parsePatternList(reader, ['patterns', 'pattern'], 'patterns', policyFileLimits.patterns, problems) ?? [];
  const detectors = parseDetectors(reader);
  if (patterns.length === 0 && detectors === undefined && problems.length === before) {
    reader.report(`${path}/patterns`, 'must have at least one pattern, or the signal detectors');
  }
  reader.field('description');
  reader.reportUnknown('a signal');
  return { name, weight, patterns, ...withoutUndefined({ detectors }) };
}
