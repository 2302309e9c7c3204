import { renderFrame, renderFrameHeaders } from '../../framing/event-frame.ts';
import type { RenderedDenial } from '../shared/dialect.ts';
import { renderAwsError } from './render-error.ts';

/** Kinds that every stream of Bedrock declares, so that all clients know them. */
const kindOf = (status: number): string => {
  if (status === 429) return 'throttlingException';
  return status >= 500 ? 'internalServerException' : 'validationException';
};

/** A refusal as the frame with which a stream of an AWS service ends. */
export const renderExceptionFrame = (denial: RenderedDenial): Buffer =>
  renderFrame(
    renderFrameHeaders({
      ':exception-type': kindOf(denial.status),
      ':content-type': 'application/json',
      ':message-type': 'exception',
    }),
    Buffer.from(JSON.stringify(renderAwsError(denial))),
  );
