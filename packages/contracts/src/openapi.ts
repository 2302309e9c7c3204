import { errorCatalogue, type ErrorReason } from './errors.ts';
import { csrfHeader, sessionCookies } from './browser-session.ts';
import { Done, Failure, OAuthFailure, Success } from './envelope.ts';
import type { FileRoute, Route } from './route.ts';

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
type JsonObject = { readonly [key: string]: Json };

interface Info {
  readonly title: string;
  readonly version: string;
  readonly description: string;
}

/**
 * Renders routes as an OpenAPI 3.1 document. Schemas with a title become components of that name;
 * the refusals that role and schemas imply are added to those that each route declares.
 */
export function renderOpenApi(routes: readonly Route[], info: Info): JsonObject {
  const components: Record<string, Json> = {};
  const paths: Record<string, Record<string, Json>> = {};

  for (const route of routes) {
    const path = openApiPath(route);
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: renderOperation(route, components) };
  }
  const failure = hoist(toJson(Failure), components);
  const oauthFailure = hoist(toJson(OAuthFailure), components);
  const schemas = Object.fromEntries(Object.entries(components).sort(([a], [b]) => (a < b ? -1 : 1)));
  return {
    openapi: '3.1.0',
    info: { ...info },
    servers: [{ url: '/' }],
    tags: [...new Set(routes.map((route) => route.tag))].map((name) => ({ name })),
    paths,
    components: {
      schemas: {
        ...schemas,
        Failure: failure,
        ...(routes.some(({ oauth }) => oauth) && { OAuthFailure: oauthFailure }),
      },
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        api_key: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
        session_cookie: { type: 'apiKey', in: 'cookie', name: sessionCookies.secure },
        csrf_token: { type: 'apiKey', in: 'header', name: csrfHeader },
      },
    },
  };
}

const openApiPath = ({ path, absolute }: Route): string =>
  `${absolute === true ? '' : '/api/v1'}${path}`.replaceAll(/:(\w+)/g, '{$1}');

/** For example `postProxiesByIdStart`, the name that generated clients give the call. */
const operationId = ({ method, path }: Route): string =>
  method.toLowerCase() +
  path.replaceAll('/:', '/by-').replaceAll(/(?<![/.-])[/.-]+(\w)/g, (_, letter: string) => letter.toUpperCase());

const formType = 'application/x-www-form-urlencoded';

function renderOperation(route: Route, components: Record<string, Json>): JsonObject {
  const { params, query, body } = route.parts;
  return {
    operationId: operationId(route),
    tags: [route.tag],
    summary: route.summary,
    description: [describeAccess(route), ...describeAudit(route)].join(' '),
    ...(route.role !== 'public' && {
      security: [
        { bearer: [] },
        { session_cookie: [], csrf_token: [] },
        ...(route.acceptsApiKey === true ? [{ api_key: [] }] : []),
      ],
    }),
    parameters: [...renderParameters(params, 'path', components), ...renderParameters(query, 'query', components)],
    ...(body !== undefined && {
      requestBody: {
        required: route.bodyOptional !== true,
        content: {
          [route.form === true ? formType : 'application/json']: { schema: hoist(toJson(body), components) },
          ...(route.file !== undefined && renderFileBodies(route.file, toJson(body))),
        },
      },
    }),
    responses: {
      [String(route.status ?? 200)]: renderSuccess(route, components),
      ...(route.redirects === true && { '303': { description: 'The browser is sent on' } }),
      ...renderFailures(route),
    },
  };
}

/** A form says what JSON does, with a file of any field name in place of its text in base64; the file alone says nothing more. */
function renderFileBodies({ contentType, field }: FileRoute, body: JsonObject): JsonObject {
  const { [field]: _, ...texts } = isObject(body['properties']) ? body['properties'] : {};
  const binary = { type: 'string', format: 'binary' };
  return {
    'multipart/form-data': { schema: { type: 'object', required: ['file'], properties: { file: binary, ...texts } } },
    [contentType]: { schema: binary },
  };
}

function describeAccess({ role, acceptsApiKey }: Route): string {
  if (role === 'public') return 'Needs no login.';
  return `Needs the role ${role}${acceptsApiKey === true ? ', or an API key of a user group' : ''}.`;
}

const describeAudit = ({ audit }: Route): string[] => {
  if (audit === undefined) return [];
  return typeof audit === 'object' && 'none' in audit
    ? [`Not audited: ${audit.none}.`]
    : [`Audited as ${[audit].flat().join(', ')}.`];
};

function renderParameters(schema: unknown, place: 'path' | 'query', components: Record<string, Json>): Json[] {
  const { properties, required, additionalProperties } = toJson(schema ?? { additionalProperties: false });
  const named = Object.entries(isObject(properties) ? properties : {}).map(([name, property]) => ({
    name,
    in: place,
    // A value with a default is always there for the handler, yet need not be sent.
    required: isArray(required) && required.includes(name) && !(isObject(property) && 'default' in property),
    schema: hoist(property, components),
  }));
  return additionalProperties === false ? named : [...named, anyOther(place)];
}

/** How OpenAPI says that parameters of other names are let pass. */
const anyOther = (place: 'path' | 'query'): Json => ({
  name: 'others',
  in: place,
  required: false,
  style: 'form',
  explode: true,
  schema: { type: 'object', additionalProperties: { type: 'string' } },
});

function renderSuccess(route: Route, components: Record<string, Json>): JsonObject {
  if (route.contentType !== undefined) {
    const types = [route.contentType].flat().map((type) => type.split(';', 1).join(''));
    const schemas = types.map((type) => [type, { schema: type === 'application/json' ? {} : { type: 'string' } }]);
    return { description: 'Success', content: Object.fromEntries(schemas) as JsonObject };
  }
  const { response } = route.parts;
  const envelope = hoist(toJson(response === undefined ? Done : Success(response)), components);
  const page = route.page === true && { 'text/html': { schema: { type: 'string' } } };
  return { description: 'Success', content: { 'application/json': { schema: envelope }, ...page } };
}

const keyRefusals = ['key_unknown', 'key_revoked', 'key_expired', 'group_inactive'] as const;

/** The refusals of a route, those included that follow from its role and its schemas. */
export function refusalsOf(route: Route): readonly ErrorReason[] {
  const { params, query, body } = route.parts;
  const implied: ErrorReason[] = [
    ...((params ?? query ?? body) ? (['bad_request'] as const) : []),
    ...(body ? (['invalid_json', 'payload_too_large', 'unsupported_media_type'] as const) : []),
    ...(route.role === 'public' ? [] : (['unauthorized', 'invalid_token', 'service_unavailable'] as const)),
    ...(route.role === 'public' || route.method === 'GET' ? [] : (['csrf_token_invalid'] as const)),
    ...(route.role === 'public' || route.beforePasswordChange === true ? [] : (['password_change_required'] as const)),
    ...(route.acceptsApiKey === true ? keyRefusals : []),
    ...(route.role === 'public' || route.role === 'user' ? [] : (['forbidden'] as const)),
  ];
  return [...new Set([...implied, ...route.errors, 'internal_error' as const])];
}

function renderFailures(route: Route): JsonObject {
  const texts = new Map<number, string[]>();
  for (const reason of refusalsOf(route)) {
    const { status, text } = errorCatalogue[reason];
    texts.set(status, [...(texts.get(status) ?? []), text]);
  }
  const schema = { $ref: `#/components/schemas/${route.oauth === true ? 'OAuthFailure' : 'Failure'}` };
  // A route for people tells them on a page.
  const page = [route.contentType].flat().includes('text/html') && { 'text/html': { schema: { type: 'string' } } };
  const content = { 'application/json': { schema }, ...page };
  return Object.fromEntries(
    [...texts].sort(([a], [b]) => a - b).map(([status, lines]) => [status, { description: lines.join('; '), content }]),
  );
}

/** Moves titled schemas into the components and leaves references. */
function hoist(schema: Json, components: Record<string, Json>): Json {
  if (isArray(schema)) return schema.map((item) => hoist(item, components));
  if (!isObject(schema)) return schema;
  const inner = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, hoist(value, components)]));
  const { title } = inner;
  if (typeof title !== 'string') return inner;
  components[title] = inner;
  return { $ref: `#/components/schemas/${title}` };
}

/** The schema as it goes over the wire, without what TypeBox keeps beside it. */
const toJson = (schema: unknown): JsonObject => JSON.parse(JSON.stringify(schema)) as JsonObject;

const isArray = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);
const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
