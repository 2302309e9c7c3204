import type { TextOrigin } from '@portcullis/contracts/policy-file';

/*
 * What an application's developer wrote, instructions and definitions of tools, is long, loud and full of orders, and no
 * attack of its user. Rules about attacks leave it out; rules about secrets and personal data read everything.
 */

/** What users say, and what comes in from elsewhere. A model that explains an attack commits none. */
export const untrustedOrigins: readonly TextOrigin[] = ['user', 'context', 'tool_result', 'document'];

/** The same, and what a model says, where it may pass on what it was told. */
export const untrustedAndAssistant: readonly TextOrigin[] = [...untrustedOrigins, 'assistant'];

/** Where signs that add up say something: what a user says. What agents bring along is made of nothing else. */
export const userOrigins: readonly TextOrigin[] = ['user', 'document'];

/** Where nobody has orders to give. */
export const toolResults: readonly TextOrigin[] = ['tool_result'];

/** Where something can be planted. */
export const plantableOrigins: readonly TextOrigin[] = ['tool_result', 'document', 'assistant'];

/** Everything but instructions, the tools among it that an application got from servers and sends along. */
export const allButInstructions: readonly TextOrigin[] = [...untrustedAndAssistant, 'tool_definition'];
