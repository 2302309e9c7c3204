import { Empty } from './states.tsx';

/** Of a list whose filters let nothing through. */
export const NoMatches = ({ onClear }: { readonly onClear: () => void }) => (
  <Empty title="Nothing matches">
    <button type="button" onClick={onClear}>
      Clear the filters
    </button>
  </Empty>
);
