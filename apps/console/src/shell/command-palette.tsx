import { useRouter } from '@tanstack/react-router';
import { useEffect, useRef, useState, type FormEvent } from 'react';
import styles from './command-palette.module.css';
import { sections } from './navigation.ts';

const pages = sections.flatMap((section) => section.pages);
const requestId = /^[\w.:-]{8,128}$/;

/** Ctrl-K: goes to a page by a part of its name, or to a request by its id. */
export function CommandPalette() {
  const dialog = useRef<HTMLDialogElement>(null);
  const [typed, setTyped] = useState('');
  const router = useRouter();

  useEffect(() => {
    const open = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      setTyped('');
      dialog.current?.showModal();
    };
    addEventListener('keydown', open);
    return () => removeEventListener('keydown', open);
  }, []);

  const found = pages.filter(({ name }) => name.toLowerCase().includes(typed.trim().toLowerCase()));
  const go = (to: string) => {
    dialog.current?.close();
    void router.navigate({ to });
  };
  const goToFirst = (event: FormEvent) => {
    event.preventDefault();
    const [first] = found;
    if (first !== undefined) go(first.to);
    else if (requestId.test(typed.trim())) go(`/requests/${encodeURIComponent(typed.trim())}`);
  };

  return (
    <dialog ref={dialog} className={styles['palette']} aria-label="Go to">
      <form onSubmit={goToFirst}>
        <input
          autoFocus
          aria-label="Page or request id"
          placeholder="A page, or the id of a request"
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
        <ul>
          {found.map(({ name, to }) => (
            <li key={to}>
              <button type="button" onClick={() => go(to)}>
                {name}
              </button>
            </li>
          ))}
          {found.length === 0 && requestId.test(typed.trim()) && (
            <li>
              <button type="submit">Request {typed.trim()}</button>
            </li>
          )}
        </ul>
      </form>
    </dialog>
  );
}
