import { Type } from 'typebox';
import { Exact, Timestamp } from '../fields.ts';
import { createRouteList } from '../route.ts';

export const routes = createRouteList('Authentication');

export const createDownloadLink = routes.define({
  method: 'POST',
  path: '/auth/download-links',
  role: 'user',
  summary: 'Make an address that a browser opens once, within a minute, to save a file that you may read',
  status: 201,
  parts: {
    body: Exact({
      path: Type.String({
        maxLength: 4_000,
        pattern: '^/api/v1/[!"$-~]*$',
        'x-allowed': 'a path with its query, such as /api/v1/audit/export?format=csv',
        description: 'Path and query of a GET that answers a file',
      }),
    }),
    response: Exact({
      url: Type.String({ description: 'Path and query; it needs no header, and is good for what was asked alone' }),
      expires_at: Timestamp,
    }),
  },
  errors: ['not_found', 'forbidden', 'too_many_requests'],
  audit: { none: 'it opens once what its maker may read; exports are audited when they are read' },
});
