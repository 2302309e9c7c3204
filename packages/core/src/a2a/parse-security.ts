import { omitUndefined } from '../json/omit-undefined.ts';
import { a2aLimits } from './a2a-limits.ts';
import type { OAuthFlow, SecurityRequirement, SecurityScheme } from './agent-card.ts';
import { MemberReader, type Member } from './member-reader.ts';

const { nameLength, urlLength, cardTextLength } = a2aLimits;

/** Named by a member in 1.0, by `type` before. */
const kinds = {
  apiKeySecurityScheme: 'apiKey',
  httpAuthSecurityScheme: 'http',
  oauth2SecurityScheme: 'oauth2',
  openIdConnectSecurityScheme: 'openIdConnect',
  mtlsSecurityScheme: 'mutualTLS',
} as const;
type SchemeMember = keyof typeof kinds;
const schemeMembers = Object.keys(kinds) as SchemeMember[];

const flowNames = ['authorizationCode', 'clientCredentials', 'deviceCode', 'implicit', 'password'] as const;

export function parseSchemes(reader: MemberReader): Record<string, SecurityScheme> | undefined {
  const entries = reader.entries(a2aLimits.schemes, 'securitySchemes').flatMap(([name, member]) => {
    const scheme = readScheme(member, reader);
    return scheme === undefined ? [] : [[name, scheme] as const];
  });
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

function readScheme(member: Member, { problems }: MemberReader): SecurityScheme | undefined {
  const reader = MemberReader.open(member, problems);
  if (reader === undefined) return undefined;
  const [found, second] = schemeMembers.filter((name) => reader.find(name) !== undefined);
  if (second !== undefined) return reader.report(undefined, 'must be of one kind only');
  // In the form that suits clients of two generations, the members of both say the same.
  const scheme = found && reader.object(found);
  if (scheme !== undefined && found !== undefined) return { [found]: readers[found](scheme) };

  const type = reader.text(nameLength, 'type');
  const kind = schemeMembers.find((name) => kinds[name] === type);
  if (kind !== undefined) return { [kind]: readers[kind](reader) };
  return reader.report('type', `must be one of ${Object.values(kinds).join(', ')}`);
}

const readers: { readonly [Kind in SchemeMember]: (reader: MemberReader) => SecurityScheme[Kind] } = {
  apiKeySecurityScheme: (reader) => ({
    ...description(reader),
    location: reader.required(nameLength, 'location', 'in'),
    name: reader.required(nameLength, 'name'),
  }),
  httpAuthSecurityScheme: (reader) =>
    omitUndefined({
      ...description(reader),
      scheme: reader.required(nameLength, 'scheme'),
      ...textMember(reader, nameLength, 'bearerFormat'),
    }),
  oauth2SecurityScheme: (reader) => ({
    ...description(reader),
    flows: readFlows(reader),
    ...textMember(reader, urlLength, 'oauth2MetadataUrl'),
  }),
  openIdConnectSecurityScheme: (reader) => ({
    ...description(reader),
    openIdConnectUrl: reader.required(urlLength, 'openIdConnectUrl'),
  }),
  mtlsSecurityScheme: description,
};

function description(reader: MemberReader): { readonly description?: string } {
  const text = reader.text(cardTextLength, 'description');
  return text === undefined ? {} : { description: text };
}

function textMember<Name extends string>(
  reader: MemberReader,
  maxLength: number,
  name: Name,
): { [Key in Name]?: string } {
  const text = reader.text(maxLength, name);
  return (text === undefined ? {} : { [name]: text }) as { [Key in Name]?: string };
}

function readFlows(reader: MemberReader): Record<string, OAuthFlow> {
  const flows = reader.object('flows');
  if (flows === undefined) return {};
  return Object.fromEntries(
    flowNames.flatMap((name) => {
      const flow = flows.object(name);
      return flow === undefined ? [] : [[name, readFlow(flow)] as const];
    }),
  );
}

const readFlow = (reader: MemberReader): OAuthFlow =>
  omitUndefined({
    authorizationUrl: reader.text(urlLength, 'authorizationUrl'),
    deviceAuthorizationUrl: reader.text(urlLength, 'deviceAuthorizationUrl'),
    tokenUrl: reader.text(urlLength, 'tokenUrl'),
    refreshUrl: reader.text(urlLength, 'refreshUrl'),
    pkceRequired: reader.flag('pkceRequired'),
    scopes: Object.fromEntries(
      reader
        .entries(a2aLimits.scopes, 'scopes')
        .map(([scope, { value }]) => [scope, typeof value === 'string' ? value.slice(0, cardTextLength) : '']),
    ),
  });

/** `securityRequirements` of 1.0, `security` before: any one of the list is enough. */
export function parseRequirements(reader: MemberReader): SecurityRequirement[] | undefined {
  const isCurrent = reader.find('securityRequirements') !== undefined;
  const members = isCurrent
    ? reader.objects(a2aLimits.schemes, (one) => one.entries(a2aLimits.schemes, 'schemes'), 'securityRequirements')
    : reader.list(a2aLimits.schemes, 'security').map((value) => entriesOf(value, reader));
  const requirements = members.map((schemes) => ({
    schemes: Object.fromEntries(schemes.map(([name, member]) => [name, { list: scopesOf(member, reader) }])),
  }));
  return requirements.length === 0 ? undefined : requirements;
}

/** The members of an object in a list, by its own. */
const entriesOf = (member: Member, { problems }: MemberReader): readonly (readonly [string, Member])[] =>
  MemberReader.open({ value: { schemes: member.value }, path: member.path }, problems)?.entries(
    a2aLimits.schemes,
    'schemes',
  ) ?? [];

/** The scopes as a list, or under `list`. */
function scopesOf({ value, path }: Member, { problems }: MemberReader): string[] {
  const wrapped = Array.isArray(value) ? { list: value } : value;
  return MemberReader.open({ value: wrapped, path }, problems)?.texts(a2aLimits.scopes, nameLength, 'list') ?? [];
}
