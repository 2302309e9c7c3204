import manifest from '../../package.json' with { type: 'json' };

/** Version of the gateway, the same for all its parts. */
export const { version } = manifest;
