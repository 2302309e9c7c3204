import { omitUndefined } from '../json/omit-undefined.ts';
import { a2aLimits } from './a2a-limits.ts';
import { knownBindings, type A2aVersion, type AgentInterface } from './agent-card.ts';
import type { MemberReader } from './member-reader.ts';

interface Interfaces {
  readonly interfaces: readonly AgentInterface[];
  readonly writtenIn: A2aVersion;
}

/** Where a card says that its agent is reached: in a list since 1.0, at the top level before. */
export function parseInterfaces(reader: MemberReader): Interfaces {
  const declared = minorVersion(reader.text(a2aLimits.nameLength, 'protocolVersion'));
  const listed = reader.objects(
    a2aLimits.interfaces,
    (one) => readInterface(one, ['protocolBinding', 'transport'], declared ?? '1.0'),
    'supportedInterfaces',
  );
  if (listed.length > 0) return { interfaces: listed, writtenIn: '1.0' };

  // The first patches of 0.2 had no version.
  const protocolVersion = declared ?? '0.2';
  const writtenIn = protocolVersion === '0.2' ? '0.2' : '0.3';
  const url = reader.text(a2aLimits.urlLength, 'url');
  if (url === undefined) {
    reader.report('supportedInterfaces', 'must name at least one interface, or url must say where the agent is');
    return { interfaces: [], writtenIn };
  }
  const preferred = reader.text(a2aLimits.nameLength, 'preferredTransport') ?? 'JSONRPC';
  const first: AgentInterface = { url, protocolBinding: bindingOf(preferred), protocolVersion };
  checkUrl(reader, 'url', first);
  const more = reader.objects(
    a2aLimits.interfaces,
    (one) => readInterface(one, ['transport', 'protocolBinding'], protocolVersion),
    'additionalInterfaces',
  );
  // The first one is often repeated among the additional ones.
  const others = more.filter((one) => one.url !== first.url || one.protocolBinding !== first.protocolBinding);
  return { interfaces: [first, ...others], writtenIn };
}

function readInterface(
  reader: MemberReader,
  bindingNames: readonly [string, ...string[]],
  version: string,
): AgentInterface {
  const one: AgentInterface = omitUndefined({
    url: reader.required(a2aLimits.urlLength, 'url'),
    protocolBinding: bindingOf(reader.required(a2aLimits.nameLength, ...bindingNames)),
    protocolVersion: minorVersion(reader.text(a2aLimits.nameLength, 'protocolVersion')) ?? version,
    tenant: reader.text(a2aLimits.nameLength, 'tenant'),
  });
  checkUrl(reader, 'url', one);
  return one;
}

const bindingOf = (written: string): string =>
  knownBindings.find((binding) => binding === written.toUpperCase()) ?? written;

/** `1.0.1` is `1.0`: patches do not matter on the wire. Anything that is no version stays as it is. */
const minorVersion = (written: string | undefined): string | undefined =>
  written && (/^(\d{1,4}\.\d{1,4})(?:\.|$)/.exec(written)?.[1] ?? written);

/** Interfaces that the gateway would call over HTTP have a URL of HTTP, without a user's name or password in it. */
function checkUrl(reader: MemberReader, name: string, { url, protocolBinding }: AgentInterface): void {
  if (url === '' || (protocolBinding !== 'JSONRPC' && protocolBinding !== 'HTTP+JSON')) return;
  const parsed = URL.parse(url);
  if (parsed === null || !['http:', 'https:'].includes(parsed.protocol))
    reader.report(name, 'must be an http or https URL');
  else if (parsed.username !== '' || parsed.password !== '') reader.report(name, 'must not contain credentials');
}
