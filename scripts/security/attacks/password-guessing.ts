import { randomUUID } from 'node:crypto';
import { judge, type Attack } from '../attack.ts';
import type { Laboratory } from '../laboratory.ts';

/** Of each of the two names: fewer than any name alone may be guessed with. */
const guesses = 7;

async function makeUser({ admin }: Laboratory, mark: string) {
  const user = { username: `${mark}-user`, email: `${mark}@example.com`, password: randomUUID() };
  const { user: made } = await admin.expect<{ user: { id: number } }>('POST', '/auth/users', {
    ...user,
    role: 'viewer',
    must_change_password: false,
  });
  return {
    ...user,
    id: made.id,
    [Symbol.asyncDispose]: async () => void (await admin.call('DELETE', `/auth/users/${made.id}`)),
  };
}

const logIn = async ({ url }: Laboratory, username: string, password: string): Promise<number> => {
  const response = await fetch(`${url}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password }),
  });
  await response.arrayBuffer();
  return response.status;
};

export const passwordGuessing: readonly Attack[] = [
  {
    name: 'passwords of a user guessed by name and by e-mail address in turn',
    attacker: 'stranger',
    expected: 'both count for one account: after them the right one is taken for a wrong one',
    async run(laboratory) {
      const mark = `guess-${randomUUID().slice(0, 8)}`;
      await using guessed = await makeUser(laboratory, mark);
      await using other = await makeUser(laboratory, `${mark}-other`);
      const faults: string[] = [];
      for (let tried = 0; tried < guesses; tried += 1) {
        for (const name of [guessed.username, guessed.email]) {
          const status = await logIn(laboratory, name, `wrong ${tried}`);
          if (status !== 401) faults.push(`${status} for guess ${tried} of ${name}`);
        }
      }
      const right = await logIn(laboratory, guessed.email, guessed.password);
      if (right === 200) faults.push(`the right one was taken after ${2 * guesses} guesses`);
      if ((await logIn(laboratory, other.email, other.password)) !== 200) faults.push('another user cannot log in');
      return judge(faults, `${right} for the right one after ${2 * guesses} guesses; another user logged in`);
    },
  },
];
