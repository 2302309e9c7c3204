/**
 * Advisories that the check lets pass until a day, by their id (GHSA-…), because what they are about is not used here.
 * @type {readonly { id: string, reason: string, until: string }[]}
 */
export const acceptedAdvisories = [];
