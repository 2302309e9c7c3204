import { renderPointer, type JsonPath } from '@portcullis/core/json/visit-strings';
import type { Finding } from '@portcullis/core/policy/policy';
import { enforcedAction } from '@portcullis/core/policy/verdict/decide';
import { isJsonField } from './json-fields.ts';
import type { Conversation } from './conversation.ts';
import { isSigned } from './signed-parts.ts';
import type { StringAt, TextToRedact } from './text-to-redact.ts';

export const nameOfPlace = ({ isKey, path }: StringAt): string => `${isKey}${renderPointer(path)}`;

interface BlockedText {
  readonly place: StringAt;
  readonly text: string;
}

const isBlocking = (finding: Finding): boolean => enforcedAction(finding) === 'block';
const mayBeReplaced = (finding: Finding): boolean => finding.action === 'replace' || !isBlocking(finding);

/** The finding that wants a note in the place of a text; undefined where none does, or some other stops it. */
export const findReplacing = (findings: readonly Finding[]): Finding | undefined =>
  findings.every(mayBeReplaced) ? findings.find(isBlocking) : undefined;

export const markReplaced = (findings: readonly Finding[]): readonly Finding[] =>
  findings.map((finding) => (isBlocking(finding) ? { ...finding, replaced: true } : finding));

/** Whether a note can stand at a place and the message is still one. */
export const mayHoldNote = ({ path, isKey, isNumber }: StringAt): boolean =>
  !isKey && isNumber !== true && !structural.has(path.at(-1));

/** What stands in the place of a text; JSON where the field holds JSON. */
export function renderNote({ ruleName }: Finding, path: JsonPath): string {
  const sentence = `[Removed by the security gateway: this text matched the rule "${ruleName}".]`;
  return isJsonField(path) === true ? JSON.stringify({ removed: sentence }) : sentence;
}

/** The texts of one request that may not reach the target, and which of them give way to a note. */
export class BlockedTexts {
  /** By the name of their place. */
  readonly toReplace = new Map<string, TextToRedact>();
  readonly #findConversation: (() => Conversation | undefined) | undefined;
  #known: { readonly conversation: Conversation | undefined } | undefined;
  readonly #refused: { readonly texts: readonly BlockedText[]; readonly lead: Finding }[] = [];
  /** Something stands where no note can. */
  #isFinal = false;

  constructor(findConversation: (() => Conversation | undefined) | undefined) {
    this.#findConversation = findConversation;
  }

  get #conversation(): Conversation | undefined {
    return (this.#known ??= { conversation: this.#findConversation?.() }).conversation;
  }

  /**
   * Takes what was found in a text, or in several as one.
   * @returns the findings, with a mark where a note takes the place of the texts
   */
  take(root: unknown, texts: readonly BlockedText[], findings: readonly Finding[]): readonly Finding[] {
    const lead = findings.find(isBlocking);
    if (lead === undefined) return findings;
    const isReplaceable = texts.every(({ place }) => this.#isReplaceable(root, place));
    if (isReplaceable && findReplacing(findings) !== undefined) {
      this.#replace(texts, lead);
      return markReplaced(findings);
    }
    this.#isFinal ||= !isReplaceable;
    this.#refused.push({ texts, lead });
    return findings;
  }

  /** Takes what was found where no note can stand. */
  takePart(findings: readonly Finding[]): void {
    this.#isFinal ||= findings.some(isBlocking);
  }

  replaceRefused(): boolean {
    const conversation = this.#conversation;
    if (conversation === undefined) return false;
    const refused = this.#refused;
    const unknown = findUnknown(conversation, new Set(refused.flatMap(({ texts }) => texts.map(({ text }) => text))));
    if (!this.#isFinal && unknown.length === 0 && refused.length > 0) {
      for (const { texts, lead } of refused) this.#replace(texts, lead);
      return true;
    }
    conversation.rememberRefused(unknown);
    return false;
  }

  #isReplaceable(root: unknown, place: StringAt): boolean {
    if (!mayHoldNote(place) || isSigned(root, place.path)) return false;
    return this.#conversation?.isReplaceable(place.path) === true;
  }

  #replace(texts: readonly BlockedText[], lead: Finding): void {
    for (const { place, text } of texts) {
      this.toReplace.set(nameOfPlace(place), { place, text, findings: [], note: renderNote(lead, place.path) });
    }
  }
}

/** So many new texts are noted at once. */
const mostUnknown = 64;

/** Those for which the conversation was not refused before, each once: looking one up takes a digest. */
function findUnknown(conversation: Conversation, texts: ReadonlySet<string>): readonly string[] {
  const unknown: string[] = [];
  for (const text of texts) {
    if (!conversation.wasRefused(text)) unknown.push(text);
    if (unknown.length === mostUnknown) break;
  }
  return unknown;
}

/** Fields that say how a turn is built, or hold what is no text: a note there would break the request. */
const structural: ReadonlySet<unknown> = new Set([
  'type',
  'role',
  'name',
  'id',
  'call_id',
  'tool_call_id',
  'tool_use_id',
  'toolUseId',
  'item_id',
  'status',
  'data',
  'bytes',
  'url',
  'uri',
  'fileUri',
  'file_uri',
  'file_id',
  'file_data',
  'image_url',
  'media_type',
  'mimeType',
  'mime_type',
  'format',
]);
