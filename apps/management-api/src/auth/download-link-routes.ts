import { managementRoutes, servicesRoutes } from '@portcullis/contracts/all-routes';
import type { Route } from '@portcullis/contracts/route';
import { mayCall } from '@portcullis/contracts/route-access';
import { createDownloadLink } from '@portcullis/contracts/routes/download-links';
import type { Config } from '@portcullis/platform/config/config';
import { pathPrefixOf } from '@portcullis/platform/config/public-base';
import type { Database } from '@portcullis/platform/database/database';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { insertDownloadLink } from '@portcullis/platform/identity/download-links';
import { invalidToken } from '@portcullis/platform/identity/tokens';
import { bind, type BoundRoute } from '@portcullis/platform/routes/bound-route';
import { mountedPath } from '@portcullis/platform/routes/mount-routes';

/** Files that need a login: what a browser saves, which it asks for without a header. */
const downloads = [...managementRoutes, ...servicesRoutes]
  .filter(({ method, role, contentType }) => method === 'GET' && role !== 'public' && contentType !== undefined)
  .map((route) => ({ route, segments: mountedPath(route).split('/') }));

export const downloadLinkRoutes = (database: Database, config: Config): BoundRoute[] => [
  bind(createDownloadLink, async ({ body, caller }) => {
    if (caller?.kind !== 'user' || caller.session === undefined) throw invalidToken();
    const route = findDownload(body.path);
    if (route === undefined || route.role === 'public') {
      throw new GatewayError('not_found', { message: 'No file is answered at this path' });
    }
    if (!mayCall(caller.role, route.role)) {
      throw new GatewayError('forbidden', { message: `This needs the role ${route.role}` });
    }
    const { url, expiresAt } = await insertDownloadLink(database, caller.session.id, body.path);
    return { data: { url: pathPrefixOf(config) + url, expires_at: expiresAt.toISOString() } };
  }),
];

function findDownload(target: string): Route | undefined {
  const asked = (target.split('?', 1)[0] ?? '').split('/');
  return downloads.find(
    ({ segments }) =>
      segments.length === asked.length &&
      segments.every((segment, at) => (segment.startsWith(':') ? asked[at] !== '' : segment === asked[at])),
  )?.route;
}
