import type { PolicyRule } from '@portcullis/contracts/policy-file';
import type { Policy } from '../policy.ts';
import { commandRules } from './rules/command-rules.ts';
import {
  crimeRules,
  harassmentRules,
  profanityRules,
  selfHarmRules,
  specialCategoryRules,
  threatRules,
} from './rules/content-rules.ts';
import { withAction } from './rules/draft-rules.ts';
import { disguiseRules, plantedDisguiseRules } from './rules/disguise-rules.ts';
import { encodingRules } from './rules/encoding-rules.ts';
import { injectionRules } from './rules/injection-rules.ts';
import { pathRules, queryRules } from './rules/injection-into-systems.ts';
import { languageRules } from './rules/language-rules.ts';
import {
  americanNumberRules,
  asiaPacificNumberRules,
  contactRules,
  deviceRules,
  europeanNumberRules,
  furtherNumberRules,
  paymentRules,
} from './rules/personal-rules.ts';
import { passwordRules } from './rules/password-rules.ts';
import { secretRules } from './rules/secret-rules.ts';
import { signalRules, toolSignalRules } from './rules/signal-rules.ts';
import { addressRules } from './rules/address-rules.ts';
import { tokenRules } from './rules/token-rules.ts';
import { enumerationRules, poisoningRules } from './rules/tool-rules.ts';
import { vendorSecretRules } from './rules/vendor-secret-rules.ts';

const injection = [...injectionRules, ...languageRules, ...disguiseRules, ...signalRules];
const poisoning = [...poisoningRules, ...plantedDisguiseRules];
const secrets = [...secretRules, ...vendorSecretRules, ...tokenRules, ...addressRules, ...passwordRules];
const attacksOnSystems = [...commandRules, ...pathRules, ...queryRules];
const numbers = [...europeanNumberRules, ...americanNumberRules, ...asiaPacificNumberRules, ...furtherNumberRules];
const personalData = [...paymentRules, ...contactRules, ...numbers];

const isGrave = ({ severity }: PolicyRule): boolean => severity === 'Critical' || severity === 'High';
const picked = (rules: readonly PolicyRule[], ...ids: readonly RegExp[]): readonly PolicyRule[] =>
  rules.filter((rule) => ids.some((id) => id.test(rule.id)));

const policy = (
  name: string,
  policyType: Policy['policy_type'],
  severity: Policy['severity'],
  description: string,
  rules: readonly PolicyRule[],
): Policy => ({ name, version: '2.0', description, severity, policy_type: policyType, rules: [...rules] });

/** Policies that every installation has from its first start. Rules that several of them have are defined once. */
export const builtinPolicies: readonly Policy[] = [
  policy(
    'llm-security',
    'both',
    'High',
    'Prompt injection: override of instructions, extraction of the system prompt, personas without limits, forged turns, orders planted in data.',
    injection,
  ),
  policy(
    'llm-secrets',
    'both',
    'Critical',
    'Credentials recognised by their structure: keys of cloud, code and model providers, private keys, tokens, passwords in addresses and assignments.',
    secrets,
  ),
  policy(
    'llm-critical-security',
    'llm',
    'Critical',
    'Everything that should never pass a model: injection, orders planted in data, requests for crimes, credentials, commands that open a machine.',
    [
      ...injection,
      ...toolSignalRules,
      ...poisoning,
      ...secrets,
      ...crimeRules,
      ...threatRules,
      ...picked(encodingRules, /^encoded-decode/),
      ...picked(commandRules, /shell|ransom|credential-dump/),
    ],
  ),
  policy(
    'llm-balanced-security',
    'llm',
    'High',
    'What is certain is blocked, what is only likely is reported; cards and account numbers are redacted.',
    [
      ...injection.filter(isGrave),
      ...withAction(
        injection.filter((rule) => !isGrave(rule)),
        'monitor',
      ),
      ...secrets,
      ...paymentRules,
      ...withAction(crimeRules, 'monitor'),
      ...withAction(poisoning, 'monitor'),
    ],
  ),
  policy(
    'llm-monitoring-only',
    'llm',
    'Medium',
    'Looks and reports, and never stands in the way: for the weeks before a policy is enforced.',
    withAction(
      [
        ...injection,
        ...toolSignalRules,
        ...secrets,
        ...paymentRules,
        ...crimeRules,
        ...threatRules,
        ...harassmentRules,
      ],
      'monitor',
    ),
  ),
  policy(
    'llm-data-redaction',
    'llm',
    'High',
    'Credentials and personal data are replaced by placeholders before they leave.',
    [...withAction(secrets, 'redact'), ...personalData],
  ),
  policy(
    'llm-content-moderation',
    'llm',
    'Medium',
    'Threats and requests for crimes are blocked, harassment and self-harm reported, strong language noted.',
    [...threatRules, ...crimeRules, ...selfHarmRules, ...harassmentRules, ...profanityRules],
  ),
  policy(
    'llm-compliance-gdpr',
    'llm',
    'High',
    'Personal data in the sense of the GDPR: identifiers are redacted, special categories and transfers reported with their article.',
    [...specialCategoryRules, ...paymentRules, ...contactRules, ...deviceRules, ...europeanNumberRules],
  ),
  policy(
    'llm-compliance-apac',
    'llm',
    'High',
    'Identity numbers of Asia and the Pacific, verified by their check digits and redacted.',
    [...asiaPacificNumberRules, ...contactRules],
  ),
  policy(
    'mcp-standard-security',
    'mcp',
    'High',
    'Attacks on the systems behind tools: commands, paths, queries; clients that feel for what is there are reported.',
    [...attacksOnSystems, ...enumerationRules],
  ),
  policy(
    'mcp-critical-security',
    'mcp',
    'Critical',
    'Everything known against tools: poisoned descriptions and results, attacks on systems, escalation, data on its way out.',
    [
      ...attacksOnSystems,
      ...poisoning,
      ...toolSignalRules,
      ...enumerationRules,
      ...injection,
      ...secrets,
      ...encodingRules,
    ],
  ),
  policy(
    'mcp-advanced-security',
    'mcp',
    'High',
    'Obfuscation and misuse of the protocol, orders in descriptions and results of tools.',
    [
      ...poisoning,
      ...toolSignalRules,
      ...encodingRules,
      ...picked(enumerationRules, /^protocol-/),
      ...picked(injectionRules, /^(?:forged|planted)-/),
    ],
  ),
  policy(
    'mcp-advanced-polymorphic-security',
    'mcp',
    'High',
    'Attacks in changing shapes: obfuscated queries and commands, mining, persistence.',
    [
      ...picked(commandRules, /^(?:persistence|crypto|base64|powershell|preload|ransom|defences|container|windows)/),
      ...picked(queryRules, /obfuscated|template|jndi|deserialisation|code-in|tautology|union/),
      ...encodingRules,
    ],
  ),
  policy(
    'mcp-encoding-detection-security',
    'mcp',
    'Medium',
    'Texts in encodings that hide what they say: percent, hexadecimal, entities, character codes, invisible characters.',
    [...encodingRules, ...picked(pathRules, /encoded|null-byte/)],
  ),
];
