import type { EvaluationEndpointFields } from '@portcullis/contracts/evaluation-endpoint';
import { buildRequest } from './build-request.ts';
import { parseDotPath } from './dot-path.ts';

/** What an endpoint lacks by its own settings, one text for each; what is not needed is not asked for. */
export function checkEndpoint(endpoint: EvaluationEndpointFields): readonly string[] {
  const problems: string[] = [];
  const { auth_type: auth, request_format: request, response_format: response } = endpoint;
  if ((auth === 'bearer' || auth === 'api-key') && endpoint.api_key === '')
    problems.push(`api_key: needed with auth_type ${auth}`);
  if (auth === 'custom' && Object.keys(endpoint.custom_headers).length === 0)
    problems.push('custom_headers: needed with auth_type custom, which sends what they hold');
  if (request === 'chat-completion' && endpoint.model === '')
    problems.push('model: needed with request_format chat-completion');
  if (request === 'chat-completion' && endpoint.http_method === 'GET')
    problems.push('http_method: chat-completion needs a method with a body');
  if (request === 'custom' && endpoint.payload_template === '')
    problems.push('payload_template: needed with request_format custom');
  else if (request === 'custom') problems.push(...templateProblems(endpoint));
  if (response === 'custom') {
    const { problem } = parseDotPath(endpoint.response_jq_expr);
    if (endpoint.response_jq_expr === '') problems.push('response_jq_expr: needed with response_format custom');
    else if (problem !== undefined) problems.push(`response_jq_expr: ${problem}`);
  }
  return problems;
}

/** Filled in with a prompt that holds all that JSON escapes. */
function templateProblems(endpoint: EvaluationEndpointFields): readonly string[] {
  const built = buildRequest({ ...endpoint, url: 'https://example.org' }, [
    { role: 'user', content: '"quoted"\n\\ and {braces}' },
  ]);
  return built.problem === undefined ? [] : [`payload_template: ${built.problem}`];
}
