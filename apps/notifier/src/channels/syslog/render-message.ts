import { oneLine, truncate } from '../shared/alert-facts.ts';

/** A message in parts, before it has its syntax (RFC 5424). */
export interface SyslogMessage {
  /** 0, emergency, to 7, debug. */
  readonly severity: number;
  /** ISO 8601 in UTC. */
  readonly time: string;
  /** Kind of message, up to 32 visible ASCII characters. */
  readonly id: string;
  /** Of the structured data, most important first: the last ones give way where there is too little room. Names are ours. */
  readonly parameters: readonly (readonly [name: string, value: string])[];
  /** A text for people, or an object that programs read. Texts of an object are cut where there is too little room. */
  readonly content: string | object;
}

/** What is the same in all messages of one channel. */
export interface SyslogOrigin {
  /** 0 to 23. */
  readonly facility: number;
  readonly hostname: string;
  readonly appName: string;
  readonly processId: string;
  readonly structuredDataId: string;
  /** Of the software. */
  readonly version: string;
  readonly maxBytes: number;
}

/** Of one value of the structured data, characters. */
const maxValue = 512;
/** What structured data leaves to the content, if there is any. */
const contentShare = 0.5;
const byteOrderMark = '\uFEFF';
const noValue = '-';

/** The bytes of one message without a frame; never more than `maxBytes`. */
export function renderMessage(message: SyslogMessage, from: SyslogOrigin): Buffer {
  const { severity, time, id, parameters, content } = message;
  const header = [
    `<${from.facility * 8 + severity}>1`,
    time,
    visible(from.hostname, 255),
    visible(from.appName, 48),
    visible(from.processId, 128),
    visible(id, 32),
  ].join(' ');
  const origin = `[origin software="Portcullis" swVersion="${escapeValue(from.version.slice(0, 32))}"]`;
  const fixed = Buffer.byteLength(header) + 1 + origin.length;
  const room = Math.floor((from.maxBytes - fixed) * contentShare);
  const data = `${origin}${renderElement(from.structuredDataId, parameters, room)}`;
  const start = Buffer.from(`${header} ${data} `);
  return Buffer.concat([start, renderContent(content, from.maxBytes - start.length)]);
}

/** Header fields hold visible ASCII characters alone. */
const visible = (text: string, maxLength: number): string =>
  text.replaceAll(/[^!-~]/g, '').slice(0, maxLength) || noValue;

/** The element with as many parameters as there is room for; empty without any. */
function renderElement(id: string, parameters: SyslogMessage['parameters'], maxBytes: number): string {
  let element = `[${id}`;
  let bytes = element.length + 1;
  for (const [name, value] of parameters) {
    const parameter = ` ${name}="${escapeValue(truncate(value, maxValue))}"`;
    bytes += Buffer.byteLength(parameter);
    if (bytes > maxBytes) break;
    element += parameter;
  }
  return element.includes(' ') ? `${element}]` : '';
}

const escapeValue = (text: string): string => oneLine(text.toWellFormed()).replaceAll(/["\\\]]/g, String.raw`\$&`);

const renderContent = (content: string | object, maxBytes: number): Buffer =>
  typeof content === 'string' ? renderText(content, maxBytes) : renderJson(content, maxBytes);

/** Text beyond ASCII says by a byte order mark that it is UTF-8. */
function renderText(content: string, maxBytes: number): Buffer {
  const text = oneLine(content.toWellFormed());
  const isAscii = /^[ -~]*$/.test(text);
  return cutUtf8(Buffer.from(isAscii ? text : `${byteOrderMark}${text}`), maxBytes);
}

/** Cuts between two characters. */
function cutUtf8(bytes: Buffer, maxBytes: number): Buffer {
  if (bytes.length <= maxBytes) return bytes;
  let end = maxBytes;
  while (end > 0 && ((bytes[end] ?? 0) & 0b1100_0000) === 0b1000_0000) end -= 1;
  return bytes.subarray(0, end);
}

/** Tried one after the other until the object fits; characters of each text in it. */
const textLengths = [Number.POSITIVE_INFINITY, 1_000, 300, 100, 30, 0];

/** In ASCII alone, so that no byte order mark stands before what programs parse. Empty when it does not fit even without texts. */
function renderJson(content: object, maxBytes: number): Buffer {
  for (const maxText of textLengths) {
    const json = JSON.stringify(content, (_name, value: unknown) =>
      typeof value === 'string' && value.length > maxText ? `${value.slice(0, maxText)}…`.toWellFormed() : value,
    ).replaceAll(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
    if (json.length <= maxBytes) return Buffer.from(json);
  }
  return Buffer.alloc(0);
}
