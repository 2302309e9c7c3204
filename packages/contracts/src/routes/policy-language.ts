import { Type } from 'typebox';
import { Exact } from '../fields.ts';
import { createRouteList } from '../route.ts';

/** Stand before the routes of a policy, whose names they look like. */
export const routes = createRouteList('Policies');

export const getPolicySchema = routes.define({
  method: 'GET',
  path: '/policies/schema',
  role: 'viewer',
  summary: 'Show the JSON Schema of a policy file',
  parts: { response: Type.Record(Type.String(), Type.Unknown(), { description: 'JSON Schema, draft 2020-12' }) },
});

export const listPolicyDetectors = routes.define({
  method: 'GET',
  path: '/policies/detectors',
  role: 'viewer',
  summary: 'List the detectors that rules may name, by name',
  parts: {
    response: Type.Array(
      Exact(
        {
          name: Type.String({ description: 'As rules name it' }),
          type: Type.String({ description: 'The word in placeholders and findings, such as EMAIL' }),
          kind: Type.Enum(['pattern', 'text', 'hidden'], {
            description:
              'pattern: finds places, which can be redacted. text: weighs a text as a whole. hidden: characters that no reader sees',
          }),
          description: Type.String(),
        },
        { title: 'PolicyDetector' },
      ),
    ),
  },
});
