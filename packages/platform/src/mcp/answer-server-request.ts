const methodNotFound = -32_601;
/** As the specification of MCP has it for a model that a user does not lend. */
const rejected = -1;

/**
 * What a client says of itself. Some servers show certain tools only to clients that can be asked something, so it
 * says that it can be asked everything; every question is declined.
 */
export const clientCapabilities = {
  roots: { listChanged: true },
  sampling: { context: {}, tools: {} },
  elicitation: { form: {}, url: {} },
  tasks: {
    list: {},
    cancel: {},
    requests: { sampling: { createMessage: {} }, elicitation: { create: {} } },
  },
};

const answers: Readonly<Record<string, object>> = {
  ping: { result: {} },
  'roots/list': { result: { roots: [] } },
  'elicitation/create': { result: { action: 'decline' } },
  'sampling/createMessage': { error: { code: rejected, message: 'Sampling was declined' } },
};

/** What stands in the answer to a question of a server beside its id. */
export const answerServerRequest = (method: string): object =>
  answers[method] ?? { error: { code: methodNotFound, message: 'Method not found' } };
