import type { Route } from './route.ts';
import { routes as packages } from './routes/skill-packages.ts';
import { routes as skills } from './routes/skills.ts';

/** What the hub for skills answers. */
export const skillRoutes: readonly Route[] = [...skills.routes, ...packages.routes];
