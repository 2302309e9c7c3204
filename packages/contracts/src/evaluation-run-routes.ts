import type { Route } from './route.ts';
import { routes as evaluations } from './routes/evaluations.ts';
import { routes as results } from './routes/evaluation-results.ts';

/** What the worker of evaluations answers. */
export const evaluationRunRoutes: readonly Route[] = [...evaluations.routes, ...results.routes];
