import { QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { ApiError } from './api/request.ts';
import { sessionHint, sessionQuery } from './api/session.ts';
import { createConsoleRouter } from './router.tsx';
import { applyTheme } from './shell/theme-choice.tsx';
import './styles/tokens.css';
import './styles/base.css';

const queries = new QueryClient({
  // A session that was ended by a sign-out of another tab, a new password or an admin: the next reading leads to the sign-in, by the shell.
  queryCache: new QueryCache({
    onError(error) {
      if (!(error instanceof ApiError) || error.status !== 401) return;
      sessionHint.clear();
      queries.setQueryData(sessionQuery.queryKey, null);
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // A refusal does not become an answer by being asked again.
      retry: (count, error) => count < 2 && !(error instanceof ApiError && error.status < 500),
    },
  },
});

// A file of the version before is gone after an upgrade: the page of the new one names others.
addEventListener('vite:preloadError', () => {
  const reloadedAt = Number(sessionStorage.getItem('reloaded-at'));
  if (Date.now() - reloadedAt < 60_000) return;
  sessionStorage.setItem('reloaded-at', String(Date.now()));
  location.reload();
});

const router = createConsoleRouter(queries);

applyTheme();

const root = document.getElementById('root');
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  );
}
