import { anyJson } from '../any/any-json.ts';
import type { Dialect } from '../shared/dialect.ts';
import { findInteractionEchoes } from './interactions.ts';

/** An interaction that the provider stores: it is looked at or cancelled. */
export const storedInteraction: Dialect = { ...anyJson, isStored: true, findEchoes: findInteractionEchoes };
