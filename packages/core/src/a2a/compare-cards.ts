import type { Severity } from '@portcullis/contracts/records';
import { canonicalJson } from '../json/canonical-json.ts';
import { severityOfSimilarity, wordSimilarity } from '../text/word-similarity.ts';
import type { AgentCard, AgentSkill } from './agent-card.ts';

const cardChangeTypes = [
  'url_changed',
  'name_changed',
  'provider_changed',
  'protocol_version_changed',
  'protocol_version_lowered',
  'security_changed',
  'signatures_changed',
  'skill_removed',
  'skill_added',
  'skill_name_changed',
  'skill_description_changed',
  'skill_examples_changed',
  'skill_tags_changed',
  'skill_modes_changed',
  'capabilities_changed',
  'modes_changed',
  'description_changed',
  'version_changed',
  'links_changed',
] as const;
export type CardChangeType = (typeof cardChangeTypes)[number];

/** One thing in which a card differs from the one before. */
export interface CardChange {
  readonly type: CardChangeType;
  readonly severity: Severity;
  /** Where an agent that was approved would do harm unseen: an admin has to look at it first. */
  readonly needsApproval: boolean;
  /** Id of the skill, where it is about one. */
  readonly skill?: string;
  /** Texts as they are, other values as JSON, cut to size. Absent on the side where there is nothing. */
  readonly before?: string;
  readonly after?: string;
  /** Of the words of two texts, from 0 to 1. */
  readonly similarity?: number;
}

const maxShownLength = 2_000;
const maxChanges = 100;

/** What a new card changes, most severe kinds first; empty when the two say the same. */
export function compareCards(before: AgentCard, after: AgentCard): readonly CardChange[] {
  const changes: CardChange[] = [];
  const compare = (
    type: CardChangeType,
    severity: Severity,
    needsApproval: boolean,
    pick: (card: AgentCard) => unknown,
  ) => {
    const change = compareValues(type, severity, needsApproval, pick(before), pick(after));
    if (change !== undefined) changes.push(change);
  };
  const compareTexts = (type: CardChangeType, needsApproval: boolean, pick: (card: AgentCard) => string) => {
    const change = compareText(type, needsApproval, pick(before), pick(after));
    if (change !== undefined) changes.push(change);
  };

  compare('url_changed', 'Critical', true, ({ supportedInterfaces }) =>
    supportedInterfaces.map(({ url, protocolBinding, tenant }) => ({
      url,
      protocolBinding,
      ...(tenant && { tenant }),
    })),
  );
  compare('name_changed', 'High', true, ({ name }) => name);
  compare('provider_changed', 'High', true, ({ provider }) => provider);
  const isLowered = newestVersion(after) < newestVersion(before);
  compare(isLowered ? 'protocol_version_lowered' : 'protocol_version_changed', 'High', true, (card) => [
    ...new Set(card.supportedInterfaces.map(({ protocolVersion }) => protocolVersion)),
  ]);
  compare('security_changed', 'High', true, ({ securitySchemes, securityRequirements }) =>
    emptyAsNone({ ...(securitySchemes && { securitySchemes }), ...(securityRequirements && { securityRequirements }) }),
  );
  compare('signatures_changed', 'High', true, ({ signatures }) => signatures);
  changes.push(...compareSkills(before.skills, after.skills));
  compare('capabilities_changed', 'Medium', false, ({ capabilities }) => capabilities);
  compare('modes_changed', 'Medium', false, ({ defaultInputModes, defaultOutputModes }) => [
    defaultInputModes,
    defaultOutputModes,
  ]);
  compareTexts('description_changed', true, ({ description }) => description);
  compare(
    'version_changed',
    isMajorChange(before.version, after.version) ? 'Medium' : 'Low',
    false,
    ({ version }) => version,
  );
  compare('links_changed', 'Low', false, ({ documentationUrl, iconUrl }) =>
    emptyAsNone({ ...(documentationUrl && { documentationUrl }), ...(iconUrl && { iconUrl }) }),
  );
  return changes.slice(0, maxChanges);
}

/** The newest generation that a card offers, as a number that grows with it. */
const newestVersion = ({ supportedInterfaces }: AgentCard): number =>
  Math.max(...supportedInterfaces.map(({ protocolVersion }) => numberOf(protocolVersion)));

function numberOf(version: string): number {
  const [, major = '0', minor = '0'] = /^(\d{1,4})\.(\d{1,4})/.exec(version) ?? [];
  return Number(major) * 10_000 + Number(minor);
}

function compareSkills(before: readonly AgentSkill[], after: readonly AgentSkill[]): CardChange[] {
  const old = new Map(before.map((skill) => [skill.id, skill]));
  const current = new Map(after.map((skill) => [skill.id, skill]));
  const removed = [...old.values()].filter(({ id }) => !current.has(id)).map((skill) => changeOf('removed', skill));
  const added = [...current.values()].filter(({ id }) => !old.has(id)).map((skill) => changeOf('added', skill));
  const changed = [...current.values()].flatMap((skill) => {
    const known = old.get(skill.id);
    return known === undefined ? [] : compareSkill(known, skill);
  });
  return [...removed, ...added, ...changed];
}

const changeOf = (what: 'added' | 'removed', skill: AgentSkill): CardChange => ({
  type: `skill_${what}`,
  severity: what === 'removed' ? 'High' : 'Medium',
  // A new skill brings new texts that models read.
  needsApproval: what === 'added',
  skill: skill.id,
  [what === 'removed' ? 'before' : 'after']: show(skill),
});

function compareSkill(before: AgentSkill, after: AgentSkill): CardChange[] {
  const found = [
    compareText('skill_name_changed', true, before.name, after.name),
    compareText('skill_description_changed', true, before.description, after.description),
    compareText('skill_examples_changed', true, joined(before.examples), joined(after.examples)),
    compareValues('skill_tags_changed', 'Low', false, before.tags, after.tags),
    compareValues('skill_modes_changed', 'Medium', false, modesOf(before), modesOf(after)),
    compareValues('security_changed', 'High', true, before.securityRequirements, after.securityRequirements),
  ];
  return found.flatMap((change) => (change === undefined ? [] : [{ ...change, skill: after.id }]));
}

const modesOf = ({ inputModes, outputModes }: AgentSkill) => [inputModes ?? [], outputModes ?? []];
const joined = (texts: readonly string[] = []): string => texts.join('\n');

/** How far a text that models read has moved says how severe its change is. */
function compareText(
  type: CardChangeType,
  needsApproval: boolean,
  before: string,
  after: string,
): CardChange | undefined {
  if (before === after) return undefined;
  const similarity = wordSimilarity(before, after);
  return { ...sides(before, after), type, severity: severityOfSimilarity(similarity), needsApproval, similarity };
}

function compareValues(
  type: CardChangeType,
  severity: Severity,
  needsApproval: boolean,
  before: unknown,
  after: unknown,
): CardChange | undefined {
  if (canonicalJson(before ?? null) === canonicalJson(after ?? null)) return undefined;
  return { type, severity, needsApproval, ...sides(before, after) };
}

const sides = (before: unknown, after: unknown): Pick<CardChange, 'before' | 'after'> => ({
  ...(before !== undefined && before !== '' && { before: show(before) }),
  ...(after !== undefined && after !== '' && { after: show(after) }),
});

function show(value: unknown): string {
  const text = typeof value === 'string' ? value : canonicalJson(value);
  return text.length > maxShownLength ? `${text.slice(0, maxShownLength)}…` : text;
}

const emptyAsNone = <Value extends object>(value: Value): Value | undefined =>
  Object.keys(value).length === 0 ? undefined : value;

const isMajorChange = (before: string, after: string): boolean => majorOf(before) !== majorOf(after);
const majorOf = (version: string): string => /^v?(\d{1,9})/i.exec(version)?.[1] ?? version;
