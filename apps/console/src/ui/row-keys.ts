import { useEffect, useRef } from 'react';

/** `j` and `k` move the focus through the rows of the table, by their first link. */
export function useRowKeys() {
  const table = useRef<HTMLTableElement>(null);
  useEffect(() => {
    const move = (event: KeyboardEvent) => {
      if ((event.key !== 'j' && event.key !== 'k') || isTyping(event)) return;
      const links = Array.from(table.current?.querySelectorAll<HTMLElement>('tbody tr') ?? []).flatMap(
        (row) => row.querySelector('a') ?? [],
      );
      const at = links.findIndex((link) => link === document.activeElement);
      const next = event.key === 'j' ? Math.min(at + 1, links.length - 1) : Math.max(at - 1, 0);
      links[next]?.focus();
    };
    addEventListener('keydown', move);
    return () => removeEventListener('keydown', move);
  }, []);
  return table;
}

/** Keys belong to who writes, and to the browser where a modifier is held. */
export const isTyping = ({ target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  ctrlKey ||
  metaKey ||
  altKey ||
  (target instanceof HTMLElement && target.closest('input, textarea, select, dialog') !== null);
