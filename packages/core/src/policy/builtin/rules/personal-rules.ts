import type { PolicyRule } from '@portcullis/contracts/policy-file';
import { americanNumbers } from '../../detectors/personal/americas.ts';
import { otherNumbers } from '../../detectors/personal/asia-pacific.ts';
import { europeanNumbers } from '../../detectors/personal/europe.ts';

/* Personal data: one rule for each detector, so that an author can take them one by one. */

const redacted = (detector: string, name: string, severity: PolicyRule['severity']): PolicyRule => ({
  id: `pii-${detector}`,
  name,
  severity,
  enabled: true,
  action: 'redact',
  category: 'Content Security',
  owasp: ['LLM02:2025'],
  patterns: [],
  detectors: [detector],
});

const numbers = (list: readonly { readonly name: string; readonly description: string }[]): readonly PolicyRule[] =>
  list.map(({ name, description }) => redacted(name, description, 'High'));

export const paymentRules: readonly PolicyRule[] = [
  redacted('payment-card', 'Number of a payment card', 'Critical'),
  redacted('iban', 'International bank account number', 'High'),
  redacted('bitcoin-address', 'Address of a Bitcoin wallet', 'Medium'),
];

export const contactRules: readonly PolicyRule[] = [
  redacted('email', 'E-mail address', 'Medium'),
  redacted('phone', 'Telephone number', 'Medium'),
  redacted('date-of-birth', 'Date of birth', 'Medium'),
];

/** Numbers of machines: personal data by law, noise in most logs. */
export const deviceRules: readonly PolicyRule[] = [
  redacted('ip-address', 'IP address', 'Low'),
  redacted('mac-address', 'Hardware address', 'Low'),
  redacted('vehicle-number', 'Vehicle identification number', 'Low'),
];

export const europeanNumberRules = numbers(europeanNumbers);
export const americanNumberRules = numbers(americanNumbers);

const asiaPacific = ['in-', 'tw-', 'jp-', 'cn-', 'kr-', 'sg-', 'hk-', 'au-', 'nz-', 'th-', 'my-', 'id-'];
const others = numbers(otherNumbers);
export const asiaPacificNumberRules = others.filter(({ id }) =>
  asiaPacific.some((start) => id.startsWith(`pii-${start}`)),
);
export const furtherNumberRules = others.filter((rule) => !asiaPacificNumberRules.includes(rule));
