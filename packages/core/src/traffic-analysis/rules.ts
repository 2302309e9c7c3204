import type { CallHistory, PastCall } from './call-history.ts';
import type { Observation, Suspicion } from './observation.ts';

/** Looks at a call together with the calls before it, the newest of which it is. */
type Rule = (call: Observation, history: CallHistory, isNewName: boolean) => Suspicion | undefined;

const minuteMs = 60_000;

const distinct = (calls: readonly PastCall[], of: (call: PastCall) => unknown = ({ what }) => what): number =>
  new Set(calls.map(of)).size;

/** Grows from `low` at `from` to `high` at `to`, and no further. */
const between = (value: number, from: number, to: number, low: number, high: number): number =>
  low + (high - low) * Math.min(1, Math.max(0, (value - from) / (to - from)));

const enumeratedNames = 8;

/** Many different names that do not exist or are not allowed: a caller finds out what there is. */
const enumeration: Rule = (call, history) => {
  if (call.outcome !== 'denied' && call.outcome !== 'failed') return undefined;
  const misses = history
    .since(call.atMs - minuteMs)
    .filter(({ outcome }) => outcome === 'denied' || outcome === 'failed');
  const names = distinct(misses);
  if (names < enumeratedNames) return undefined;
  return {
    ruleId: 'BEHAVIORAL_ENUMERATION',
    title: 'Behavioral Anomaly: Enumeration',
    description: `${names} different tools, resources or paths that are refused or do not exist were called within a minute`,
    severity: 'Medium',
    confidence: between(names, enumeratedNames, 40, 0.6, 0.95),
  };
};

const guessedKeys = 10;

/** Many different keys from one address. */
const keyGuessing: Rule = (call, history) => {
  if (call.outcome !== 'unidentified') return undefined;
  const tries = history.since(call.atMs - 5 * minuteMs).filter(({ presented }) => presented !== undefined);
  const keys = distinct(tries, ({ presented }) => presented);
  if (keys < guessedKeys) return undefined;
  return {
    ruleId: 'BEHAVIORAL_KEY_GUESSING',
    title: 'Behavioral Anomaly: Key Guessing',
    description: `${keys} different keys that are not known were presented within five minutes`,
    severity: 'High',
    confidence: between(keys, guessedKeys, 40, 0.7, 0.98),
  };
};

/** Agents that work side by side are fast: a burst is measured against the habit of its own principal. */
const leastBurst = 60;
const deviationsOfBurst = 6;

const burst: Rule = (_, { pace }) => {
  const { usual, current } = pace;
  if (usual === undefined || current < leastBurst) return undefined;
  const excess = (current - usual.mean) / Math.max(usual.deviation, 1);
  if (excess < deviationsOfBurst) return undefined;
  return {
    ruleId: 'BEHAVIORAL_BURST',
    title: 'Behavioral Anomaly: Burst',
    description: `${current} calls within ten seconds, where ${Math.round(usual.mean)} are usual`,
    severity: 'Low',
    confidence: between(excess, deviationsOfBurst, 60, 0.5, 0.85),
  };
};

const habitCalls = 100;
const habitNames = 8;

/** A tool that a principal with a narrow habit has never called. */
const unusualTool: Rule = (call, history, isNewName) => {
  if (!isNewName || call.outcome !== 'served' || call.method !== 'tools/call') return undefined;
  if (history.namedCalls < habitCalls || history.knownNames > habitNames) return undefined;
  return {
    ruleId: 'BEHAVIORAL_UNUSUAL_TOOL',
    title: 'Behavioral Anomaly: Unusual Tool',
    description: `${history.namedCalls} calls have used ${history.knownNames} tools so far; this one used another for the first time`,
    severity: 'Low',
    confidence: between(history.namedCalls / history.knownNames, habitCalls / habitNames, 500, 0.4, 0.7),
  };
};

const randomCalls = 5;

/** Arguments full of what looks like keys or ciphertext, from a caller who does not usually send such. */
const randomArguments: Rule = (call, history) => {
  if (call.randomTokens === 0) return undefined;
  const calls = history.since(call.atMs - 10 * minuteMs);
  const random = calls.filter(({ randomTokens }) => randomTokens > 0);
  const share = random.length / calls.length;
  // Where nearly every call carries such tokens they are the trade of this principal.
  if (random.length < randomCalls || share > 0.5) return undefined;
  return {
    ruleId: 'CONTENT_RANDOM_TOKENS',
    title: 'Content Analysis: Random Tokens',
    description: `${random.length} of the last ${calls.length} calls carried long tokens that look like keys or encrypted data`,
    severity: 'Low',
    confidence: between(random.length, randomCalls, 30, 0.4, 0.7),
  };
};

const blocksBeforePass = 3;

/** Refused by policies time and again, then served: a caller may have found the way around. */
const probing: Rule = (call, history) => {
  if (call.outcome !== 'served' || history.refusals < blocksBeforePass) return undefined;
  const before = history.since(call.atMs - 5 * minuteMs).slice(0, -1);
  const lastServed = before.findLastIndex(({ outcome, method }) => outcome === 'served' && method === call.method);
  const blocks = before
    .slice(lastServed + 1)
    .filter(({ outcome, method }) => outcome === 'blocked' && method === call.method);
  if (blocks.length < blocksBeforePass) return undefined;
  return {
    ruleId: 'SEQUENCE_POLICY_PROBING',
    title: 'Attack Sequence: Policy Probing',
    description: `${blocks.length} calls in a row were blocked by a policy, and then one was let through`,
    severity: 'Medium',
    confidence: between(blocks.length, blocksBeforePass, 12, 0.6, 0.9),
  };
};

/** What a client asks on its first visit; alone it says nothing. */
const listings = new Set(['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list']);

const refusedNames = 3;

/** Every client lists when it starts. It is what follows that makes it a reconnaissance: names refused, then one served. */
const reconnaissance: Rule = (call, history) => {
  if (call.outcome !== 'served' || call.name === undefined || history.refusals < refusedNames) return undefined;
  const before = history.since(call.atMs - 10 * minuteMs).slice(0, -1);
  const listedAt = before.findIndex(({ method }) => listings.has(method));
  if (listedAt === -1) return undefined;
  const refused = before.slice(listedAt + 1).filter(({ outcome, name }) => name !== undefined && outcome !== 'served');
  const names = distinct(refused);
  if (names < refusedNames) return undefined;
  return {
    ruleId: 'SEQUENCE_RECONNAISSANCE',
    title: 'Attack Sequence: Reconnaissance',
    description: `After listing what there is, ${names} different names were refused before one was served`,
    severity: 'Medium',
    confidence: between(names, refusedNames, 10, 0.5, 0.85),
  };
};

const powers =
  /(?:^|[^a-z])(?:admin|sudo|root|grant|role|permission|privilege|impersonate|exec|shell|command|eval|token|secret|credential)/i;

/** Refused, and soon after served by a tool whose name speaks of power. */
const escalation: Rule = (call, history, isNewName) => {
  if (call.outcome !== 'served' || call.name === undefined || !isNewName || !powers.test(call.name)) return undefined;
  const before = history.since(call.atMs - 5 * minuteMs).slice(0, -1);
  const refused = before.filter(({ outcome }) => outcome === 'denied' || outcome === 'blocked').length;
  if (refused < 2) return undefined;
  return {
    ruleId: 'SEQUENCE_PRIVILEGE_ESCALATION',
    title: 'Attack Sequence: Privilege Escalation',
    description: `After ${refused} refused calls a tool was used for the first time whose name speaks of wider rights`,
    severity: 'High',
    confidence: between(refused, 2, 10, 0.5, 0.85),
  };
};

export const rules: readonly Rule[] = [
  enumeration,
  keyGuessing,
  burst,
  unusualTool,
  randomArguments,
  probing,
  reconnaissance,
  escalation,
];
