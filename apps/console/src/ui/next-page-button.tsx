interface NextPageButtonProps {
  readonly pages: {
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    readonly fetchNextPage: () => unknown;
  };
  readonly children: string;
}

export function NextPageButton({ pages, children }: NextPageButtonProps) {
  if (!pages.hasNextPage) return null;
  return (
    <button type="button" disabled={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
      {children}
    </button>
  );
}
