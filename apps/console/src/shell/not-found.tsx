import { Link } from '@tanstack/react-router';
import { Empty } from '../ui/states.tsx';

export const NotFound = () => (
  <Empty title="There is no such page">
    <p>
      <Link to="/">To the overview</Link>
    </p>
  </Empty>
);
