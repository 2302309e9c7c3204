/** A message of RFC 5424 in parts. A nil value is undefined. */
export interface ReceivedMessage {
  readonly facility: number;
  readonly severity: number;
  readonly timestamp: string | undefined;
  readonly hostname: string | undefined;
  readonly appName: string | undefined;
  readonly processId: string | undefined;
  readonly messageId: string | undefined;
  /** By SD-ID, then by the name of the parameter; values as they were before they were escaped. */
  readonly data: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Without its byte order mark; undefined when there is none. */
  readonly text: string | undefined;
  /** Whether a byte order mark said that the text is UTF-8. */
  readonly isMarkedUtf8: boolean;
  readonly bytes: number;
}

const header = /^<(0|[1-9][0-9]{0,2})>1 (\S+) ([!-~]{1,255}) ([!-~]{1,48}) ([!-~]{1,128}) ([!-~]{1,32}) /;
const time =
  /^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]{1,6})?(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])$/;
const elementStart = /^\[([!#-<>-\\^-~]{1,32})/;
const parameter = /^ ([!#-<>-\\^-~]{1,32})="((?:[^"\\\]]|\\["\\\]]|\\(?!["\\\]]))*)"/;
const registered = new Set(['timeQuality', 'origin', 'meta']);
const byteOrderMark = '\uFEFF';

/** Reads a message by the grammar of RFC 5424, section 6, and nothing beside it. @throws with what is wrong */
export function parseSyslogMessage(bytes: Buffer): ReceivedMessage {
  const whole = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  const [start = '', priority = '', timestamp = '', hostname, appName, processId, messageId] = header.exec(whole) ?? [];
  if (start === '') throw new Error(`No header: ${JSON.stringify(whole.slice(0, 80))}`);
  if (Number(priority) > 191) throw new Error(`No priority: ${priority}`);
  if (timestamp !== '-' && !time.test(timestamp)) throw new Error(`No timestamp: ${timestamp}`);

  const { data, rest } = takeData(whole.slice(start.length));
  if (rest !== '' && !rest.startsWith(' ')) throw new Error(`Behind the data: ${JSON.stringify(rest.slice(0, 40))}`);
  const message = rest === '' ? undefined : rest.slice(1);
  const isMarkedUtf8 = message?.startsWith(byteOrderMark) === true;
  const text = isMarkedUtf8 ? message.slice(1) : message;
  if (text !== undefined && !isMarkedUtf8 && /\P{ASCII}/u.test(text))
    throw new Error('UTF-8 without a byte order mark');
  if (text !== undefined && /\p{Cc}/u.test(text)) throw new Error('Control characters in the text');
  return {
    facility: Math.floor(Number(priority) / 8),
    severity: Number(priority) % 8,
    timestamp: given(timestamp),
    hostname: given(hostname),
    appName: given(appName),
    processId: given(processId),
    messageId: given(messageId),
    data,
    text,
    isMarkedUtf8,
    bytes: bytes.length,
  };
}

const given = (text: string | undefined): string | undefined => (text === '-' ? undefined : text);

function takeData(text: string): { readonly data: ReceivedMessage['data']; readonly rest: string } {
  const data: Record<string, Record<string, string>> = {};
  if (text.startsWith('-')) return { data, rest: text.slice(1) };
  let rest = text;
  for (let found = elementStart.exec(rest); found !== null; found = elementStart.exec(rest)) {
    const [whole, id = ''] = found;
    if (!/^[^@]+@[0-9]+(\.[0-9]+)*$/.test(id) && !registered.has(id)) throw new Error(`No SD-ID: ${id}`);
    if (id in data) throw new Error(`The SD-ID ${id} twice`);
    const taken = takeParameters(rest.slice(whole.length));
    data[id] = taken.parameters;
    rest = taken.rest;
  }
  if (rest === text) throw new Error(`No structured data: ${JSON.stringify(text.slice(0, 40))}`);
  return { data, rest };
}

function takeParameters(text: string) {
  const parameters: Record<string, string> = {};
  let rest = text;
  for (let found = parameter.exec(rest); found !== null; found = parameter.exec(rest)) {
    const [whole, name = '', value = ''] = found;
    if (/\p{Cc}/u.test(value)) throw new Error(`Control characters in ${name}`);
    parameters[name] = value.replaceAll(/\\(["\\\]])/g, '$1');
    rest = rest.slice(whole.length);
  }
  if (!rest.startsWith(']')) throw new Error(`An element does not end: ${JSON.stringify(rest.slice(0, 40))}`);
  return { parameters, rest: rest.slice(1) };
}
