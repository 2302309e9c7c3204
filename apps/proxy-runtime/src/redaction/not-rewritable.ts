/** Thrown when a text cannot be rewritten without changing what nobody asked to change. */
export class NotRewritable extends Error {}
