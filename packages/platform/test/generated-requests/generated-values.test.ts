import { describe, expect, test } from '@jest/globals';
import { renderManagementOpenApi } from '@portcullis/contracts/management-openapi';
import { Ajv2020 } from 'ajv/dist/2020.js';
import * as fc from 'fast-check';
import { operationsOf, type OpenApiDocument } from './open-api-document.ts';
import { breakagesOf, brokenValuesOf } from './break-value.ts';
import { valuesOf } from './schema-arbitrary.ts';

const document = JSON.parse(renderManagementOpenApi('1.2.3')) as OpenApiDocument;
const ajv = new Ajv2020({ strict: false, formats: { 'date-time': /^\d{4}-.*Z$/, date: /^\d{4}-\d\d-\d\d$/ } });
const bodies = operationsOf(document).flatMap(({ operationId, requestBody }) => {
  const schema = requestBody?.content['application/json']?.schema;
  return schema === undefined ? [] : [[operationId, schema] as const];
});
const checkOf = (schema: object): ((value: unknown) => boolean) => {
  const validate = ajv.compile({ ...schema, components: document.components });
  return (value) => validate(value);
};

describe('generated values', () => {
  test.each(bodies)('%s takes those that are right', (_, schema) => {
    const check = checkOf(schema);
    fc.assert(
      fc.property(valuesOf(schema, document), (value) => check(value)),
      { numRuns: 20 },
    );
  });

  // That a text holds no NUL is a rule of every route and stands in no schema.
  const told = bodies.map(([name, schema]) => {
    const breakages = breakagesOf(schema, document).filter(({ says }) => says !== 'holds a NUL');
    return [name, schema, brokenValuesOf(valuesOf(schema, document), breakages)] as const;
  });
  test.each(told)('%s refuses those that are wrong', (_, schema, broken) => {
    expect(broken).toBeDefined();
    const check = checkOf(schema);
    if (broken !== undefined)
      fc.assert(
        fc.property(broken, ({ value }) => !check(value)),
        { numRuns: 40 },
      );
  });

  test('are not made of schemas that say more than is understood', () => {
    expect(() => valuesOf({ type: 'string', contentEncoding: 'base64' } as object, document)).toThrow(
      'contentEncoding',
    );
  });
});
