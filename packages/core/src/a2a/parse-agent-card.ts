import { objectOf } from '../json/json-object.ts';
import { omitUndefined } from '../json/omit-undefined.ts';
import { rejectDuplicateKeys } from '../json/reject-duplicate-keys.ts';
import { a2aLimits } from './a2a-limits.ts';
import type { A2aVersion, AgentCapabilities, AgentCard, AgentExtension, AgentSkill } from './agent-card.ts';
import { MemberReader, type Parsed } from './member-reader.ts';
import { parseInterfaces } from './parse-interfaces.ts';
import { parseRequirements, parseSchemes } from './parse-security.ts';

export interface ParsedCard {
  readonly card: AgentCard;
  /** In which generation's members the card is written. One of 1.0 may have those of 0.3 beside its own. */
  readonly writtenIn: A2aVersion;
}

/** Reads the JSON source of a card, as an agent serves it or an admin sends it. */
export function parseAgentCardText(source: string): Parsed<ParsedCard> {
  if (Buffer.byteLength(source) > a2aLimits.cardBytes)
    return fault(`must not be larger than ${a2aLimits.cardBytes} bytes`);
  let value: unknown;
  try {
    value = JSON.parse(source);
  } catch {
    return fault('must be JSON');
  }
  try {
    rejectDuplicateKeys(source, value);
  } catch (error) {
    return fault(error instanceof Error ? error.message : 'must be JSON');
  }
  return parseAgentCard(value);
}

const fault = (rule: string) => ({ problems: [{ path: '', rule }] });

/**
 * Reads a card of A2A 0.2, 0.3 or 1.0, in camel case or snake case, into the form of 1.0. What a card cannot be used
 * without must be there (a name, an interface, ids of skills); other required members become empty, since agents in
 * the field leave them out. Unknown members are left out.
 */
export const parseAgentCard = (value: unknown): Parsed<ParsedCard> => MemberReader.parse(value, readCard);

function readCard(reader: MemberReader): ParsedCard | undefined {
  if (isOfFirstGeneration(reader)) {
    return reader.report('authentication', 'belongs to A2A 0.1; cards of A2A 0.2, 0.3 and 1.0 can be read');
  }
  const { interfaces, writtenIn } = parseInterfaces(reader);
  const card: AgentCard = {
    name: reader.required(a2aLimits.nameLength, 'name'),
    description: reader.text(a2aLimits.cardTextLength, 'description') ?? '',
    supportedInterfaces: interfaces,
    provider: readProvider(reader),
    version: reader.text(a2aLimits.nameLength, 'version') ?? '',
    documentationUrl: reader.text(a2aLimits.urlLength, 'documentationUrl'),
    iconUrl: reader.text(a2aLimits.urlLength, 'iconUrl'),
    capabilities: readCapabilities(reader),
    securitySchemes: parseSchemes(reader),
    securityRequirements: parseRequirements(reader),
    defaultInputModes: modes(reader, 'defaultInputModes') ?? ['text/plain'],
    defaultOutputModes: modes(reader, 'defaultOutputModes') ?? ['text/plain'],
    skills: readSkills(reader),
    signatures: notEmpty(
      reader.objects(
        a2aLimits.signatures,
        (signature) =>
          omitUndefined({
            protected: signature.required(a2aLimits.signatureLength, 'protected'),
            signature: signature.required(a2aLimits.signatureLength, 'signature'),
            header: signature.verbatim('header'),
          }),
        'signatures',
      ),
    ),
  };
  return { card: omitUndefined(card), writtenIn };
}

/** Cards before 0.2 said how to authenticate in a member that no later generation has. */
function isOfFirstGeneration(reader: MemberReader): boolean {
  const later = [
    'protocolVersion',
    'supportedInterfaces',
    'additionalInterfaces',
    'preferredTransport',
    'securitySchemes',
  ];
  if (later.some((name) => reader.find(name) !== undefined)) return false;
  return objectOf(reader.find('authentication')?.value)?.['schemes'] !== undefined;
}

function readProvider(reader: MemberReader): AgentCard['provider'] {
  const provider = reader.object('provider');
  return (
    provider && {
      organization: provider.text(a2aLimits.nameLength, 'organization') ?? '',
      url: provider.text(a2aLimits.urlLength, 'url') ?? '',
    }
  );
}

function readCapabilities(reader: MemberReader): AgentCapabilities {
  const capabilities = reader.object('capabilities');
  // In 0.3 it stood beside the capabilities.
  const extended = reader.flag('supportsAuthenticatedExtendedCard');
  return omitUndefined({
    streaming: capabilities?.flag('streaming'),
    pushNotifications: capabilities?.flag('pushNotifications'),
    extendedAgentCard: capabilities?.flag('extendedAgentCard') ?? extended,
    extensions: notEmpty(capabilities?.objects(a2aLimits.extensions, readExtension, 'extensions') ?? []),
  });
}

const readExtension = (reader: MemberReader): AgentExtension =>
  omitUndefined({
    uri: reader.required(a2aLimits.urlLength, 'uri'),
    description: reader.text(a2aLimits.cardTextLength, 'description'),
    required: reader.flag('required'),
    params: reader.verbatim('params'),
  });

/** Ids are told apart later: of two skills with one id, changes of the first would not be seen. */
function readSkills(reader: MemberReader): AgentSkill[] {
  const skills = reader.objects(a2aLimits.skills, readSkill, 'skills');
  const ids = new Set<string>();
  for (const { id } of skills) {
    if (ids.has(id)) reader.report('skills', `must not have two skills with the id ${JSON.stringify(id)}`);
    ids.add(id);
  }
  return skills;
}

const readSkill = (reader: MemberReader): AgentSkill =>
  omitUndefined({
    id: reader.required(a2aLimits.idLength, 'id'),
    name: reader.required(a2aLimits.nameLength, 'name'),
    description: reader.text(a2aLimits.cardTextLength, 'description') ?? '',
    tags: reader.texts(a2aLimits.tags, a2aLimits.nameLength, 'tags'),
    examples: notEmpty(reader.texts(a2aLimits.tags, a2aLimits.cardTextLength, 'examples')),
    inputModes: modes(reader, 'inputModes'),
    outputModes: modes(reader, 'outputModes'),
    securityRequirements: parseRequirements(reader),
  });

const modes = (reader: MemberReader, name: string): readonly string[] | undefined =>
  notEmpty(reader.texts(a2aLimits.modes, a2aLimits.mediaTypeLength, name));

const notEmpty = <Item>(list: readonly Item[]): readonly Item[] | undefined => (list.length === 0 ? undefined : list);
