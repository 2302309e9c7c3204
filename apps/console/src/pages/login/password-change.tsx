import { useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { endpoints } from '../../api/endpoints.ts';
import { request } from '../../api/request.ts';
import { sessionQuery } from '../../api/session.ts';
import { formText } from '../../ui/form-text.ts';

/** What a user must do before anything else whose password an admin set. */
export function PasswordChange() {
  const queries = useQueryClient();
  const [problem, setProblem] = useState<string>();

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const wanted = formText(form, 'new');
    if (wanted !== formText(form, 'again')) return setProblem('The two new passwords differ.');
    try {
      await request(endpoints.changePassword, {
        body: { current_password: formText(form, 'current'), new_password: wanted },
      });
      await queries.invalidateQueries({ queryKey: sessionQuery.queryKey });
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
  };

  return (
    <form className="card" onSubmit={(event) => void submit(event)}>
      <p>Choose a password of your own before you go on: 12 characters at least.</p>
      <label className="field">
        <span>Current password</span>
        <input name="current" type="password" autoComplete="current-password" required autoFocus />
      </label>
      <label className="field">
        <span>New password</span>
        <input name="new" type="password" autoComplete="new-password" minLength={12} maxLength={256} required />
      </label>
      <label className="field">
        <span>New password again</span>
        <input name="again" type="password" autoComplete="new-password" required />
      </label>
      {problem !== undefined && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
      <button className="primary">Change password</button>
    </form>
  );
}
