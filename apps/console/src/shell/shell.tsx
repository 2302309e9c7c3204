import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, Outlet, useRouter } from '@tanstack/react-router';
import { use, useEffect, useState } from 'react';
import { endpoints } from '../api/endpoints.ts';
import { LiveContext, useLiveState } from '../api/live-events.ts';
import { LiveSocket } from '../api/live-socket.ts';
import { ApiError, request } from '../api/request.ts';
import { sessionHint, sessionQuery } from '../api/session.ts';
import { CommandPalette } from './command-palette.tsx';
import { sections } from './navigation.ts';
import styles from './shell.module.css';
import { ThemeChoice } from './theme-choice.tsx';

/** The frame of every page behind the sign-in: navigation, who is signed in, whether the page is live. */
export function Shell() {
  const queries = useQueryClient();
  const [socket] = useState(
    () =>
      new LiveSocket({
        reconnect: () => void queries.invalidateQueries(),
        failed: () => void queries.invalidateQueries({ queryKey: sessionQuery.queryKey }),
      }),
  );
  useSameUser();
  useEffect(() => {
    socket.open();
    return () => socket.close();
  }, [socket]);

  return (
    <LiveContext value={socket}>
      <a className={styles['skip']} href="#main">
        Skip to the content
      </a>
      <div className={styles['frame']}>
        <header className={styles['side']}>
          <p className={styles['brand']}>Portcullis</p>
          <nav aria-label="Pages">
            {sections.map(({ name, pages }) => (
              <div key={name}>
                <h2>{name}</h2>
                <ul>
                  {pages.map((page) => (
                    <li key={page.to}>
                      <Link
                        to={page.to}
                        activeOptions={{ exact: page.to === '/' }}
                        activeProps={{ 'aria-current': 'page' }}
                      >
                        {page.name}
                      </Link>
                    </li>
                  ))}
                </ul>
              </div>
            ))}
          </nav>
          <Account />
        </header>
        <main id="main" tabIndex={-1}>
          <Outlet />
        </main>
      </div>
      <CommandPalette />
    </LiveContext>
  );
}

/** Leads to the sign-in when the session has ended, and loads the page anew when another user signed in with another tab: what was read is not theirs. */
function useSameUser(): void {
  const { data: user } = useQuery(sessionQuery);
  const router = useRouter();
  const [firstId] = useState(user?.id);
  useEffect(() => {
    if (user === null) void router.invalidate();
    else if (user !== undefined && user.id !== firstId) location.reload();
  }, [user, firstId, router]);
}

function Account() {
  const { data: user } = useQuery(sessionQuery);
  const live = useLiveState();
  const router = useRouter();
  const queries = useQueryClient();
  const socket = use(LiveContext);
  const [problem, setProblem] = useState<string>();
  const signOut = async () => {
    socket?.close();
    try {
      // Another tab may have begun a session of its own since, with another token.
      if ((await queries.fetchQuery({ ...sessionQuery, staleTime: 0 })) !== null) await request(endpoints.logout);
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 401)) {
        socket?.open();
        return setProblem(`You are still signed in. ${error instanceof Error ? error.message : String(error)}`);
      }
    }
    sessionHint.clear();
    queries.clear();
    await router.navigate({ to: '/login' });
  };
  return (
    <div className={styles['account']}>
      <p role="status" className={live === 'lost' ? 'problem' : undefined}>
        {live === 'lost' ? 'Not live: connecting again …' : live === 'live' ? 'Live' : 'Connecting …'}
      </p>
      <ThemeChoice />
      <p>
        {user?.username} · {user?.role}
      </p>
      {problem !== undefined && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
      <button type="button" onClick={() => void signOut()}>
        Sign out
      </button>
    </div>
  );
}
