import type { PolicyRule } from '@portcullis/contracts/policy-file';
import { toolResults, userOrigins } from './rule-origins.ts';
import { addressSignals, hijackSignals, personaSignals, pressureSignals, toolSignals } from './signals.ts';

/*
 * Attacks that no single phrase gives away: several weak signs that come together. Each sign by itself
 * is ordinary writing; the weights say how much of an attack it is, and the threshold how much it takes.
 */

/** What a table says, as one sign among others: it counts from a lower score on where others agree with it. */
const wording = (weight: number, detector = 'injection-wording'): NonNullable<PolicyRule['signals']>[number] => ({
  name: 'wording',
  weight,
  patterns: [],
  detectors: [detector],
});

const weighed = (rule: Pick<PolicyRule, 'id' | 'name' | 'severity' | 'signals'> & Partial<PolicyRule>): PolicyRule => ({
  enabled: true,
  action: 'block',
  category: 'Guardrails',
  owasp: ['LLM01:2025', 'ASI01:2026'],
  patterns: [],
  origins: [...userOrigins],
  ...rule,
});

/** More than all other signs of a rule bear together: without what the table says, such a rule does not match. */
const needed = 20;

type Weighed = Partial<PolicyRule>;

const ofUsers = (id: string, name: string, rule: Weighed): PolicyRule =>
  weighed({ id, name, severity: 'High', conditions: { direction: 'request' }, ...rule });

/** Of what users write. */
export const signalRules: readonly PolicyRule[] = [
  ofUsers('signals-of-jailbreak', 'Several signs of a persona without limits', {
    signals: [...personaSignals, wording(1.5)],
    threshold: 5,
    long_threshold: 6,
    min_confidence: 0.92,
    window: 3_000,
  }),
  ofUsers('signals-of-hijack', 'Several signs of a hijacked task', {
    signals: [...hijackSignals, wording(1)],
    threshold: 4,
    long_threshold: 5,
    min_confidence: 0.85,
    window: 300,
  }),
  ofUsers('hijack-wording', 'Wording of an injection with a sign of a hijacked task', {
    signals: [...hijackSignals, wording(needed)],
    threshold: needed + 1,
    long_threshold: needed + 2,
    min_confidence: 0.975,
    window: 300,
  }),
  ofUsers('signals-of-pressure', 'Several signs of pressure to give away or drop what was ordered', {
    signals: [...pressureSignals, wording(1.5)],
    threshold: 4.5,
    long_threshold: 5.5,
    window: 250,
    min_confidence: 0.92,
  }),
  ofUsers('injection-wording', 'Wording of an injection', {
    detectors: ['injection-wording'],
    min_confidence: 0.99,
  }),
  ofUsers('optimised-suffix', 'Tail that a search over tokens has found', {
    detectors: ['odd-characters'],
    min_confidence: 0.994,
  }),
  ofUsers('flood', 'Text that says the same over and over', {
    severity: 'Medium',
    detectors: ['repetition'],
    min_confidence: 0.85,
  }),
];

const ofTools = (id: string, name: string, rule: Weighed): PolicyRule =>
  weighed({ id, name: `${name} in what a tool answers`, severity: 'High', origins: [...toolResults], ...rule });

/** Characters of a result; longer ones are changelogs, declarations, whole documents. */
const shortResult = 20_000;

/** Of what tools answer and say about themselves, where nobody has orders to give. */
export const toolSignalRules: readonly PolicyRule[] = [
  ofTools('signals-in-tool-results', 'Several signs of orders', {
    signals: [...toolSignals, wording(1.5, 'planted-orders')],
    threshold: 4,
    long_threshold: 5,
    min_confidence: 0.74,
    window: 700,
  }),
  ofTools('words-to-model-in-results', 'Words to the model', {
    signals: [...addressSignals, wording(needed, 'planted-orders')],
    threshold: needed + 1.5,
    long_threshold: needed + 3,
    min_confidence: 0.75,
    window: 700,
  }),
  ofTools('orders-to-model-in-results', 'Several words to the model', {
    signals: [...addressSignals, wording(needed, 'planted-orders')],
    threshold: needed + 2.5,
    long_threshold: needed + 4,
    min_confidence: 0.65,
    window: 700,
  }),
  ofTools('planted-orders-in-results', 'Orders to the model', {
    detectors: ['planted-orders'],
    min_confidence: 0.9,
    conditions: { size: { max: shortResult } },
  }),
  // Of a thousand stretches one has words of an order by chance; what is meant as one is surer.
  ofTools('planted-orders-in-long-results', 'Orders to the model', {
    detectors: ['planted-orders'],
    min_confidence: 0.992,
    conditions: { size: { min: shortResult + 1 } },
  }),
];
