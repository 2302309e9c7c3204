import { addressRuleOf, type Config } from '@portcullis/platform/config/config';

const maxDrainMs = 3_000;

/** What the notifier takes from the option table, in its own units. */
export const readNotifierConfig = (config: Config) => ({
  addresses: addressRuleOf(config),
  retry: { attempts: config.ALERT_DELIVERY_ATTEMPTS, backoffMs: config.ALERT_DELIVERY_BACKOFF },
  /** How long a destination that is away is left alone. */
  restMs: config.ALERT_DELIVERY_REST,
  /** How long a stop waits for posts under way; one that is broken off is tried again after the next start. */
  drainMs: Math.min(config.SHUTDOWN_TIMEOUT, maxDrainMs),
});
