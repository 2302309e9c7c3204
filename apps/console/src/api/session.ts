import type { UserRole } from '@portcullis/contracts/route';
import type { User } from '@portcullis/contracts/routes/auth';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { csrfToken } from './csrf-token.ts';
import { endpoints } from './endpoints.ts';
import { ApiError, request } from './request.ts';

const hint = 'signed-in';

/**
 * Remembers whether this browser may have a session: its cookie cannot be seen, and asking without one is an error in the
 * console of every browser.
 */
export const sessionHint = {
  set: () => localStorage.setItem(hint, 'maybe'),
  clear: () => localStorage.removeItem(hint),
};

/** The user of this browser's session; null without one. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async (): Promise<User | null> => {
    if (localStorage.getItem(hint) === null) return null;
    try {
      const session = await request(endpoints.getSession);
      csrfToken.current = session.csrf_token ?? csrfToken.current;
      return session.user;
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) {
        sessionHint.clear();
        return null;
      }
      throw error;
    }
  },
  staleTime: Number.POSITIVE_INFINITY,
});

const ranks: Readonly<Record<UserRole, number>> = { user: 0, viewer: 1, operator: 2, admin: 3 };

/** Whether the user who is signed in has at least this role. */
export function useMay(role: UserRole): boolean {
  const { data } = useQuery(sessionQuery);
  return data !== undefined && data !== null && ranks[data.role] >= ranks[role];
}
