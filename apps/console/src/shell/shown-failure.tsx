import { useRouter, type ErrorComponentProps } from '@tanstack/react-router';
import { Failed } from '../ui/states.tsx';

export function ShownFailure({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const retry = () => {
    reset();
    void router.invalidate();
  };
  return <Failed what="This page" error={error instanceof Error ? error : new Error(String(error))} onRetry={retry} />;
}
