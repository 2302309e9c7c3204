import { allRoutes } from '../packages/contracts/src/all-routes.ts';
import type { Route } from '../packages/contracts/src/route.ts';
import { accessOf, callers, type CallerKind, type RouteAccess } from '../packages/contracts/src/route-access.ts';
import { saveGenerated } from './generated-file.ts';

// Writes docs/generated/routes.md: which route serves whom, from the contracts that the server mounts.

const signs: Readonly<Record<RouteAccess, string>> = { passes: '✓', unauthorized: '401', forbidden: '403' };

const pathOf = ({ absolute, path }: Route) =>
  `${absolute === true ? '' : '/api/v1'}${path}`.replaceAll(/:(\w+)/g, '{$1}');
const cells = (route: Route) => callers.map((caller) => signs[accessOf(route, caller)]).join(' | ');
const row = (route: Route) => `| ${route.method} | \`${pathOf(route)}\` | ${cells(route)} | ${route.summary} |`;

const nameOf = (caller: CallerKind): string => headings.get(caller) ?? caller;
const headings: ReadonlyMap<CallerKind, string> = new Map([
  ['anonymous', 'no login'],
  ['api_key', 'API key'],
]);
const columns = ['Method', 'Path', ...callers.map(nameOf), ''];
const heading = `| ${columns.join(' | ')} |\n${'|---'.repeat(columns.length)}|`;

const sections = [...Map.groupBy(allRoutes, ({ tag }) => tag)].map(
  ([tag, routes]) => `## ${tag}

${heading}
${routes.map(row).join('\n')}
`,
);

saveGenerated(
  'docs/generated/routes.md',
  `# Routes and who may call them

Printed from the contracts, which the server checks every request against; a test calls each route as each caller.
✓ passes, 401 asks for a login, 403 asks for another role. An API key is sent in \`X-API-Key\` and sees only the proxies and agents
of its user group. Where a caller without a login gets 401 although no role is asked for, the route is about the token itself.

${sections.join('\n')}`,
);
