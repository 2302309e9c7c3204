import { getRequest, listRequests } from '@portcullis/contracts/routes/requests';
import type { Database } from '@portcullis/platform/database/database';
import { bind, type BoundRoute } from '@portcullis/platform/routes/bound-route';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { findRequests } from './find-requests.ts';
import { loadRequest } from './load-request.ts';

export const requestRoutes = (database: Database): BoundRoute[] => [
  bind(listRequests, async ({ query }) => ({ data: await findRequests(database, query) })),

  bind(getRequest, async ({ params: { request_id: requestId } }) => {
    const request = await loadRequest(database, requestId);
    if (request === undefined) {
      throw new GatewayError('not_found', {
        message: `No request with the id ${JSON.stringify(requestId)} is recorded; records come a moment after their answers, and what is refused to one caller again and again has one for each minute`,
      });
    }
    return { data: request };
  }),
];
