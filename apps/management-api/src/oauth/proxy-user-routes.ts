import {
  getProxySignIn,
  listProxyUsers,
  tryProxyUser,
  type ProxySignIn,
} from '@portcullis/contracts/routes/proxy-users';
import type { Database } from '@portcullis/platform/database/database';
import { readConsistent } from '@portcullis/platform/database/read-consistent';
import { bind, type BoundRoute } from '@portcullis/platform/routes/bound-route';
import { findProxyOrThrow } from '../proxies/proxy-problems.ts';
import { loadAllowedGroups, loadProxyUserPage, tryUser } from './proxy-user-queries.ts';

export function proxyUserRoutes(database: Database): BoundRoute[] {
  return [
    bind(getProxySignIn, async ({ params }) => {
      const { id, name } = await findProxyOrThrow(database, params.id);
      const data: ProxySignIn = {
        proxy_id: id,
        proxy_name: name,
        oauth_access_mode: 'group_only',
        oauth_require_group_assignment: true,
        allowed_user_groups: await loadAllowedGroups(database, id),
      };
      return { data };
    }),
    bind(listProxyUsers, async ({ params, query }) => {
      await findProxyOrThrow(database, params.id);
      const found = await readConsistent(database, (moment) => loadProxyUserPage(moment, params.id, query));
      return { data: { ...found, page: query.page, page_size: query.page_size } };
    }),
    bind(tryProxyUser, async ({ params, body }) => {
      await findProxyOrThrow(database, params.id);
      return { data: await tryUser(database, params.id, body.user_identity) };
    }),
  ];
}
