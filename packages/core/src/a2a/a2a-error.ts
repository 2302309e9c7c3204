import type { Problem } from '@portcullis/contracts/envelope';

interface ErrorKind {
  readonly code: number;
  readonly httpStatus: number;
  /** Name of the status in gRPC, which stands in errors over HTTP too. */
  readonly grpcStatus: string;
  readonly message: string;
}

const kind = (code: number, httpStatus: number, grpcStatus: string, message: string): ErrorKind => ({
  code,
  httpStatus,
  grpcStatus,
  message,
});

/** Errors of the protocol and of JSON-RPC, by the reasons under which A2A 1.0 knows them. */
export const a2aErrors = {
  TASK_NOT_FOUND: kind(-32_001, 404, 'NOT_FOUND', 'Task not found'),
  TASK_NOT_CANCELABLE: kind(-32_002, 400, 'FAILED_PRECONDITION', 'Task cannot be canceled'),
  PUSH_NOTIFICATION_NOT_SUPPORTED: kind(-32_003, 400, 'FAILED_PRECONDITION', 'Push notifications are not supported'),
  UNSUPPORTED_OPERATION: kind(-32_004, 400, 'FAILED_PRECONDITION', 'This operation is not supported'),
  CONTENT_TYPE_NOT_SUPPORTED: kind(-32_005, 400, 'INVALID_ARGUMENT', 'Incompatible content types'),
  INVALID_AGENT_RESPONSE: kind(-32_006, 500, 'INTERNAL', 'The agent sent an invalid response'),
  EXTENDED_AGENT_CARD_NOT_CONFIGURED: kind(-32_007, 400, 'FAILED_PRECONDITION', 'There is no extended agent card'),
  EXTENSION_SUPPORT_REQUIRED: kind(-32_008, 400, 'FAILED_PRECONDITION', 'A required extension is missing'),
  VERSION_NOT_SUPPORTED: kind(-32_009, 400, 'FAILED_PRECONDITION', 'This version of A2A is not supported'),
  PARSE_ERROR: kind(-32_700, 400, 'INVALID_ARGUMENT', 'Invalid JSON'),
  INVALID_REQUEST: kind(-32_600, 400, 'INVALID_ARGUMENT', 'Invalid request'),
  METHOD_NOT_FOUND: kind(-32_601, 404, 'UNIMPLEMENTED', 'Method not found'),
  INVALID_PARAMS: kind(-32_602, 400, 'INVALID_ARGUMENT', 'Invalid parameters'),
  INTERNAL_ERROR: kind(-32_603, 500, 'INTERNAL', 'Internal error'),
} as const satisfies Readonly<Record<string, ErrorKind>>;
export type A2aErrorReason = keyof typeof a2aErrors;

/** Why a call failed, in any binding of any generation. */
export interface A2aError {
  readonly code: number;
  readonly message: string;
  /** Of `a2aErrors`, where it is one of these. */
  readonly reason?: A2aErrorReason | undefined;
  /** Where the request was wrong. */
  readonly problems?: readonly Problem[] | undefined;
}

export const a2aError = (reason: A2aErrorReason, message?: string, problems?: readonly Problem[]): A2aError => ({
  code: a2aErrors[reason].code,
  message: message ?? a2aErrors[reason].message,
  reason,
  ...(problems && { problems }),
});

const reasons = Object.keys(a2aErrors) as A2aErrorReason[];

export const reasonOfCode = (code: number): A2aErrorReason | undefined =>
  reasons.find((reason) => a2aErrors[reason].code === code);

export const findReason = (written: string): A2aErrorReason | undefined => reasons.find((reason) => reason === written);
