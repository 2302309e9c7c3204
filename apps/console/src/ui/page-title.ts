import { useEffect } from 'react';

/** What the browser calls the page. */
export function usePageTitle(name: string): void {
  useEffect(() => {
    document.title = `${name} · Portcullis`;
  }, [name]);
}
