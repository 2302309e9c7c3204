/** An error of an AWS service in REST and JSON. */
export const renderAwsError = (status: number, message: string) => ({
  __type: status === 429 ? 'ThrottlingException' : status >= 500 ? 'InternalServerException' : 'ValidationException',
  message,
});

/** The model that a path of Bedrock names. */
export const modelIn = (path: string): string => decodeURIComponent(/\/model\/([^/]+)\//.exec(path)?.[1] ?? '');
