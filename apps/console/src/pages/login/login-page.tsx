import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter, useSearch } from '@tanstack/react-router';
import { useEffect, useState, type FormEvent } from 'react';
import { apiPath, consolePath } from '../../api/console-address.ts';
import { csrfToken } from '../../api/csrf-token.ts';
import { endpoints } from '../../api/endpoints.ts';
import { routeQuery } from '../../api/route-query.ts';
import { request } from '../../api/request.ts';
import { sessionHint, sessionQuery } from '../../api/session.ts';
import { usePageTitle } from '../../ui/page-title.ts';
import { formText } from '../../ui/form-text.ts';
import styles from './login-page.module.css';
import { PasswordChange } from './password-change.tsx';
import { returnPath } from './return-path.ts';

/** Signs in with a password or a provider, and goes on to the page that was wanted. */
export function LoginPage() {
  const { to } = useSearch({ from: '/login' });
  const { data: user } = useQuery(sessionQuery);
  const router = useRouter();
  const signedIn = user?.must_change_password === false;

  usePageTitle('Sign in');
  useEffect(() => {
    if (signedIn) void router.navigate({ href: returnPath(to, consolePath), replace: true });
  }, [signedIn, router, to]);

  return (
    <main className={styles['login']}>
      <h1>Portcullis</h1>
      {user?.must_change_password === true ? <PasswordChange /> : <SignIn to={to} />}
    </main>
  );
}

function SignIn({ to }: { readonly to: string | undefined }) {
  const queries = useQueryClient();
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    setBusy(true);
    setProblem(undefined);
    try {
      const body = { username: formText(form, 'username'), password: formText(form, 'password') };
      const session = await request(endpoints.openSession, { body });
      csrfToken.current = session.csrf_token;
      // What was read for the user before is not for this one.
      queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0] });
      sessionHint.set();
      queries.setQueryData(sessionQuery.queryKey, session.user);
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    } finally {
      setBusy(false);
    }
  };

  return (
    <form className="card" onSubmit={(event) => void submit(event)}>
      <label className="field">
        <span>User name</span>
        <input name="username" autoComplete="username" required autoFocus />
      </label>
      <label className="field">
        <span>Password</span>
        <input name="password" type="password" autoComplete="current-password" required />
      </label>
      {problem !== undefined && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
      <button className="primary" disabled={busy}>
        Sign in
      </button>
      <Providers to={to} />
    </form>
  );
}

function Providers({ to }: { readonly to: string | undefined }) {
  const { data } = useQuery(routeQuery(endpoints.listSignInProviders));
  const query = new URLSearchParams({ session: 'cookie', return_to: returnPath(to, consolePath) }).toString();
  return data?.providers.map((name) => (
    <a
      key={name}
      className={styles['provider']}
      onClick={sessionHint.set}
      href={`${apiPath}/auth/oauth/login/${encodeURIComponent(name)}?${query}`}
    >
      Sign in with {name}
    </a>
  ));
}
