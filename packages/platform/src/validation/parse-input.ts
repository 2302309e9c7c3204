import type { Problem } from '@portcullis/contracts/envelope';
import type { Route, RouteInput, RouteParts } from '@portcullis/contracts/route';
import type { Request } from 'express';
import { checkStorable } from './check-storable.ts';
import { compileJsonSchema, compileTextSchema, type SchemaCheck } from './compile-schema.ts';
import { GatewayError } from '../http/gateway-error.ts';
import { createSynonymReader } from './read-synonyms.ts';

/** Compiles a route's schemas once into what reads its requests. Every problem is reported at once. */
export function createInputParser({ parts, bodyOptional }: Route): (request: Request) => RouteInput<RouteParts> {
  const params = parts.params && compileTextSchema(parts.params, '/params');
  const query = parts.query && compileTextSchema(parts.query, '/query');
  const body = parts.body && compileJsonSchema(parts.body, '/body');
  const readOlderQuery = parts.query && createSynonymReader(parts.query, '/query');
  const readOlderBody = parts.body && createSynonymReader(parts.body, '/body');

  return (request) => {
    const sent: unknown = request.body;
    const input = {
      params: { ...request.params },
      query: { ...request.query },
      body: sent === undefined && bodyOptional === true ? {} : sent,
    };
    const problems = [
      ...check(params, input.params, '/params'),
      ...check(query, input.query, '/query'),
      ...check(body, input.body, '/body'),
    ];
    if (problems.length > 0) throw new GatewayError('bad_request', { problems });
    const contradictions = [...(readOlderQuery?.(input.query) ?? []), ...(readOlderBody?.(input.body) ?? [])];
    if (contradictions.length > 0) throw new GatewayError('bad_request', { problems: contradictions });
    return {
      params: params && input.params,
      query: query && input.query,
      body: body && input.body,
    } as RouteInput<RouteParts>;
  };
}

function check(schema: SchemaCheck | undefined, value: unknown, root: string): readonly Problem[] {
  if (schema === undefined) return [];
  if (value === undefined) return [{ path: root, rule: 'is required' }];
  const unstorable = checkStorable(value, root);
  return unstorable === undefined ? schema(value) : [unstorable];
}
