import { describe, expect, test } from '@jest/globals';
import { Type } from 'typebox';
import { allRoutes } from './all-routes.ts';
import { Exact, optional } from './fields.ts';
import { renderManagementOpenApi } from './management-openapi.ts';
import { refusalsOf, renderOpenApi } from './openapi.ts';
import { defineRoute } from './route.ts';

const Thing = Exact({ id: Type.Integer(), title: Type.String() }, { title: 'Thing' });
const route = defineRoute({
  method: 'PUT',
  path: '/things/:id/part-names',
  role: 'admin',
  summary: 'Change a thing',
  tag: 'Things',
  parts: {
    params: Exact({ id: Type.Integer() }),
    query: Exact({ limit: Type.Integer({ default: 10 }), ...optional({ word: Type.String() }) }),
    body: Exact({ things: Type.Array(Thing) }),
    response: Thing,
  },
  errors: ['conflict'],
});
const document = renderOpenApi([route], { title: 'Things', version: '1', description: '' });

describe('renderOpenApi', () => {
  test('turns path parameters and query into parameters, where a default makes a field optional', () => {
    expect(document).toMatchObject({
      paths: {
        '/api/v1/things/{id}/part-names': {
          put: {
            operationId: 'putThingsByIdPartNames',
            parameters: [
              { name: 'id', in: 'path', required: true },
              { name: 'limit', in: 'query', required: false },
              { name: 'word', in: 'query', required: false },
            ],
          },
        },
      },
    });
  });

  test('moves titled schemas into the components, and a field called title stays a field', () => {
    expect(document).toMatchObject({
      components: { schemas: { Thing: { title: 'Thing', properties: { title: { type: 'string' } } } } },
    });
    expect(JSON.stringify(document).split('{"$ref":"#/components/schemas/Thing"}')).toHaveLength(3);
  });

  test('tells the refusals that role and schemas imply beside the declared ones', () => {
    expect(refusalsOf(route)).toEqual([
      'bad_request',
      'invalid_json',
      'payload_too_large',
      'unsupported_media_type',
      'unauthorized',
      'invalid_token',
      'service_unavailable',
      'csrf_token_invalid',
      'password_change_required',
      'forbidden',
      'conflict',
      'internal_error',
    ]);
  });
});

describe('the management API', () => {
  const text = renderManagementOpenApi('1.2.3');

  test('has a document in which every reference leads somewhere', () => {
    const { components } = JSON.parse(text) as { components: { schemas: Record<string, unknown> } };
    const names = [...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name);
    expect(names.length).toBeGreaterThan(0);
    for (const name of names) expect(Object.keys(components.schemas)).toContain(name);
  });

  test('names every operation once', () => {
    const operations = [...text.matchAll(/"operationId": "(\w+)"/g)].map(([, name]) => name);
    expect(operations).toHaveLength(allRoutes.length);
    expect(new Set(operations).size).toBe(allRoutes.length);
  });

  test('bounds every list, text and number that a request may carry', () => {
    const unbounded = allRoutes.flatMap(({ parts, path }) =>
      fieldsOf([parts.body, parts.query, parts.params])
        .filter((field) => !isBounded(field))
        .map((field) => [path, field]),
    );
    expect(unbounded).toEqual([]);
  });
});

const bounds: Readonly<Record<string, readonly string[]>> = {
  string: ['maxLength', 'pattern'],
  array: ['maxItems'],
  integer: ['maximum'],
  number: ['maximum'],
};

const isBounded = (field: Readonly<Record<string, unknown>>): boolean =>
  'const' in field ||
  [field['type']]
    .flat()
    .every((type) => (bounds[String(type)] ?? [undefined]).some((bound) => bound === undefined || bound in field));

/** Every schema within a schema. */
function fieldsOf(schema: unknown): Record<string, unknown>[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const inner = Object.values(schema).flatMap(fieldsOf);
  return 'type' in schema ? [{ ...schema }, ...inner] : inner;
}
