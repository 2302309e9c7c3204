import { objectOf } from '../json/json-object.ts';
import { stringsIn, type JsonPath } from '../json/visit-strings.ts';
import type { Artifact, Message, Part, StreamEvent, Task } from './task.ts';

/** A text that a policy reads, and where it stands in the object that it was found in. */
export interface PlacedText {
  readonly text: string;
  readonly path: JsonPath;
  /** A key of the sender's own data, long enough to carry text. It can be inspected, not rewritten. */
  readonly isKey: boolean;
  /** The text is bytes in base64: what it says is to be decoded first. */
  readonly isEncoded: boolean;
  /** Texts of one channel continue each other over the events of a stream. Undefined for those complete in themselves. */
  readonly channel: string | undefined;
}

type Node = Message | Task | StreamEvent | Artifact | Part;

/** Members whose texts are names of the protocol, or ids that the gateway gives or finds among its own. */
const structural: ReadonlySet<string> = new Set(['taskId', 'contextId', 'id', 'role', 'state', 'timestamp']);

/** Ids that one side makes up and the other gets as they are: they are read, and cannot be rewritten. */
const idFields: ReadonlySet<string | number | undefined> = new Set(['messageId', 'artifactId']);

/** Below these everything belongs to the sender, its keys too. */
const own: ReadonlySet<string> = new Set(['data', 'metadata']);

/**
 * The texts of a message, a task or an event of a stream, in document order: every part of every kind, names of files,
 * media types, addresses, ids that the sender makes up, data and metadata with their keys. Names of the protocol and the
 * gateway's own ids are not among them.
 * @throws {NestedTooDeep}
 */
export function* textsOf(node: Node): Generator<PlacedText, void> {
  const channels = channelsOf(node);
  for (const found of stringsIn(node)) {
    if (found === undefined) continue;
    const { text, path, isKey } = found;
    const place = [...path];
    if (!isTaskText(place, isKey)) continue;
    const isEncoded = !isKey && place.at(-1) === 'raw' && !isOwn(place);
    yield { text, path: place, isKey, isEncoded, channel: isKey || isEncoded ? undefined : channels(place) };
  }
}

/** Whether a string of such an object is a text, and not a name of the protocol or an id. */
export const isTaskText = (path: JsonPath, isKey: boolean): boolean => !isStructural(path) && (!isKey || isOwn(path));

/** Whether it is an id by which its reader knows what belongs together. */
export const isTaskId = (path: JsonPath): boolean => idFields.has(path.at(-1)) && !isOwn(path);

const isOwn = (path: JsonPath): boolean => path.some((step) => typeof step === 'string' && own.has(step));

function isStructural(path: JsonPath): boolean {
  for (const step of path) {
    if (typeof step !== 'string') continue;
    if (own.has(step)) return false;
    if (structural.has(step)) return true;
  }
  return false;
}

/** The channel of the texts of an artifact. */
export const artifactChannel = ({ artifactId }: Pick<Artifact, 'artifactId'>): string => `artifact ${artifactId}`;

/** In an update of an artifact the last plain text goes on in the next update. */
function channelsOf(node: Node): (path: JsonPath) => string | undefined {
  const update = 'artifactUpdate' in node ? node.artifactUpdate : undefined;
  if (update === undefined) return () => undefined;
  const channel = artifactChannel(update.artifact);
  return ([, artifact, parts, , member, ...rest]) =>
    artifact === 'artifact' && parts === 'parts' && member === 'text' && rest.length === 0 ? channel : undefined;
}

/** New texts by the places at which `textsOf` found the old ones. */
export interface TextChange {
  readonly path: JsonPath;
  readonly text: string;
}

/** What is to be changed at a place, and at those inside it. */
interface ChangedPlace {
  text: string | undefined;
  readonly inside: Map<string, ChangedPlace>;
}

/**
 * A copy in which texts are replaced, and numbers by texts. A place where neither stands is left alone. Each object and list is
 * copied once, however many of its members change.
 */
export function replaceTexts<Given extends Node>(node: Given, changes: readonly TextChange[]): Given {
  if (changes.length === 0) return node;
  const root = placeWithout();
  for (const { path, text } of changes) findChanged(root, path).text = text;
  return replaceIn(node, root) as Given;
}

const placeWithout = (): ChangedPlace => ({ text: undefined, inside: new Map() });

function findChanged(root: ChangedPlace, path: JsonPath): ChangedPlace {
  let place = root;
  for (const step of path) {
    const next = place.inside.get(String(step)) ?? placeWithout();
    place.inside.set(String(step), next);
    place = next;
  }
  return place;
}

function replaceIn(node: unknown, { text, inside }: ChangedPlace): unknown {
  if (typeof node === 'string' || typeof node === 'number') return text ?? node;
  const member = (value: unknown, step: string): unknown => {
    const place = inside.get(step);
    return place === undefined ? value : replaceIn(value, place);
  };
  if (inside.size === 0) return node;
  if (Array.isArray(node)) return node.map((value, index) => member(value, String(index)));
  const object = objectOf(node);
  if (object === undefined) return node;
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, member(value, key)]));
}
