import { canonicalJson } from '../json/canonical-json.ts';
import { objectOf, type JsonObject } from '../json/json-object.ts';
import { cardShape } from './card-shape.ts';
import { renderShape } from './snake-case.ts';

/**
 * Ways in which a card is written down to be signed. The specification and the official kits do not agree.
 * - `whole`: every member as it stands, what no generation knows included.
 * - `strict`: A2A 1.0, 8.4.1: defaults are left out where they are not required and not said.
 * - `clean`: the kit for JavaScript: everything empty is left out, also where it is required.
 * - `reparsed`: the same kit, of a card that it has parsed before: it loses the security schemes.
 * - `ascii`: the kit for Python: as `clean`, with escapes for what is not ASCII.
 */
export const cardPayloadForms = ['whole', 'strict', 'clean', 'reparsed', 'ascii'] as const;
export type CardPayloadForm = (typeof cardPayloadForms)[number];

/** The members of a card that a signature over a form of it covers; of all forms but `whole`, what A2A 1.0 knows. */
export function coveredMembers(card: JsonObject, form: CardPayloadForm): JsonObject {
  if (form === 'whole') return withoutSignatures(card);
  const { securitySchemes, ...members } = withoutSignatures(renderShape(card, cardShape, (name) => name) as JsonObject);
  return form === 'reparsed' || securitySchemes === undefined ? members : { ...members, securitySchemes };
}

const withoutSignatures = (card: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(card).filter(([name]) => name !== 'signatures'));

/** The text over which a card is signed. */
export function cardPayload(card: JsonObject, form: CardPayloadForm): string {
  const covered = coveredMembers(card, form);
  if (form === 'whole') return canonicalJson(covered);
  if (form === 'strict') return canonicalJson(dropDefaults(covered));
  const text = canonicalJson(dropEmpty(dropDefaults(covered)) ?? {});
  return form === 'ascii' ? escapeWide(text) : text;
}

/** Required by A2A 1.0, at one place or another: kept with their defaults. */
const required: ReadonlySet<string> = new Set(
  `name description supportedInterfaces version capabilities defaultInputModes defaultOutputModes skills url
   protocolBinding protocolVersion organization id tags location scheme flows openIdConnectUrl authorizationUrl tokenUrl
   scopes`.split(/\s+/),
);
/** Has a default that differs from its absence. */
const optional: ReadonlySet<string> = new Set(
  'documentationUrl iconUrl streaming pushNotifications extendedAgentCard'.split(' '),
);
/** Lists and maps: the default of one is to be empty. A message is there or not, also without members. */
const lists: ReadonlySet<string> = new Set(
  `skills tags examples inputModes outputModes extensions list securityRequirements securitySchemes schemes
   scopes`.split(/\s+/),
);

function dropDefaults(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(dropDefaults);
  const object = objectOf(value);
  if (object === undefined) return value;
  const members = Object.entries(object).flatMap(([name, inner]): [string, unknown][] => {
    if (name === 'params') return [[name, inner]];
    const kept = dropDefaults(inner);
    return isDefault(name, kept) && !required.has(name) && !optional.has(name) ? [] : [[name, kept]];
  });
  return Object.fromEntries(members);
}

const isDefault = (name: string, value: unknown): boolean => {
  if (value === '' || value === false || value === null) return true;
  return lists.has(name) && typeof value === 'object' && Object.keys(Object(value) as object).length === 0;
};

/** Undefined for what is empty, or holds nothing but what is. */
function dropEmpty(value: unknown): unknown {
  if (value === '' || value === null || value === undefined) return undefined;
  if (Array.isArray(value)) {
    const items = value.map(dropEmpty).filter((item) => item !== undefined);
    return items.length === 0 ? undefined : items;
  }
  const object = objectOf(value);
  if (object === undefined) return value;
  const members = Object.entries(object).flatMap(([name, inner]): [string, unknown][] => {
    const kept = dropEmpty(inner);
    return kept === undefined ? [] : [[name, kept]];
  });
  return members.length === 0 ? undefined : Object.fromEntries(members);
}

const escapeWide = (text: string): string =>
  text.replaceAll(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
