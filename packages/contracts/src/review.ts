import { Type } from 'typebox';
import { Exact } from './fields.ts';

/** What became of a change that was found: of a tool, of a server's instructions, of the card of an agent. */
export const reviewStatuses = ['pending', 'approved', 'rejected', 'reverted', 'recorded'] as const;
export type ReviewStatus = (typeof reviewStatuses)[number];

/** What an admin says with a decision. */
export const ReviewNote = Exact({ note: Type.Optional(Type.String({ maxLength: 2_000 })) });
