import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { consolePath } from './api/console-address.ts';
import { sessionQuery } from './api/session.ts';
import { parseAlertSearch } from './pages/alerts/alert-search.ts';
import { parseApprovalSearch } from './pages/approvals/approval-search.ts';
import { parseRequestSearch } from './pages/requests/request-search.ts';
import { NotFound } from './shell/not-found.tsx';
import { Shell } from './shell/shell.tsx';
import { ShownFailure } from './shell/shown-failure.tsx';
import { texts } from './ui/search-params.ts';

interface Context {
  readonly queries: QueryClient;
}

const root = createRootRouteWithContext<Context>()({ component: Outlet, notFoundComponent: NotFound });

const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  validateSearch: (search) => texts(search, ['to']),
  component: lazyRouteComponent(() => import('./pages/login/login-page.tsx'), 'LoginPage'),
});

/** Everything behind the sign-in. */
const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  component: Shell,
  beforeLoad: async ({ context, location }) => {
    const user = await context.queries.ensureQueryData(sessionQuery);
    // A redirect is thrown here, and is no error.
    // oxlint-disable-next-line typescript/only-throw-error
    if (user === null || user.must_change_password) throw redirect({ to: '/login', search: { to: location.href } });
  },
});

const overview = createRoute({
  getParentRoute: () => shell,
  path: '/',
  component: lazyRouteComponent(() => import('./pages/overview/overview-page.tsx'), 'OverviewPage'),
});

const alerts = createRoute({
  getParentRoute: () => shell,
  path: '/alerts',
  validateSearch: parseAlertSearch,
  component: lazyRouteComponent(() => import('./pages/alerts/alerts-page.tsx'), 'AlertsPage'),
});

const alert = createRoute({
  getParentRoute: () => shell,
  path: '/alerts/$id',
  validateSearch: parseAlertSearch,
  component: lazyRouteComponent(() => import('./pages/alerts/alert-page.tsx'), 'AlertPage'),
});

const requests = createRoute({
  getParentRoute: () => shell,
  path: '/requests',
  validateSearch: parseRequestSearch,
  component: lazyRouteComponent(() => import('./pages/requests/requests-page.tsx'), 'RequestsPage'),
});

const request = createRoute({
  getParentRoute: () => shell,
  path: '/requests/$requestId',
  component: lazyRouteComponent(() => import('./pages/requests/request-page.tsx'), 'RequestPage'),
});

const sessions = createRoute({
  getParentRoute: () => shell,
  path: '/sessions',
  validateSearch: (search) => texts(search, ['order']),
  component: lazyRouteComponent(() => import('./pages/sessions/sessions-page.tsx'), 'SessionsPage'),
});

const session = createRoute({
  getParentRoute: () => shell,
  path: '/sessions/$id',
  component: lazyRouteComponent(() => import('./pages/sessions/session-page.tsx'), 'SessionPage'),
});

const approvals = createRoute({
  getParentRoute: () => shell,
  path: '/approvals',
  validateSearch: parseApprovalSearch,
  component: lazyRouteComponent(() => import('./pages/approvals/approvals-page.tsx'), 'ApprovalsPage'),
});

const approval = createRoute({
  getParentRoute: () => shell,
  path: '/approvals/$id',
  component: lazyRouteComponent(() => import('./pages/approvals/approval-page.tsx'), 'ApprovalPage'),
});

const watched = [overview, alerts, alert, requests, request, sessions, session, approvals, approval];
const routeTree = root.addChildren([login, shell.addChildren(watched)]);

export const createConsoleRouter = (queries: QueryClient) =>
  createRouter({
    routeTree,
    basepath: consolePath,
    context: { queries },
    defaultErrorComponent: ShownFailure,
    defaultNotFoundComponent: NotFound,
    scrollRestoration: true,
  });

declare module '@tanstack/react-router' {
  interface Register {
    readonly router: ReturnType<typeof createConsoleRouter>;
  }
}
