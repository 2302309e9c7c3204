/**
 * What became of a message: `delivered`, `failed` when sending it again may help, `refused` when it cannot. `status` is what
 * the destination answered, null without an answer. Reasons are for admins, and never carry an address or a credential.
 */
export type DeliveryOutcome =
  | { readonly kind: 'delivered'; readonly status: number | null }
  | {
      readonly kind: 'failed';
      readonly status: number | null;
      readonly reason: string;
      /** What the destination asked for with Retry-After, milliseconds. */
      readonly retryAfterMs?: number;
    }
  | { readonly kind: 'refused'; readonly status: number | null; readonly reason: string };

export const refused = (status: number | null, reason: string): DeliveryOutcome => ({
  kind: 'refused',
  status,
  reason,
});
