import { problemCode, problemText } from '../errors/problem.ts';

const sentences: Readonly<Record<string, string>> = {
  ENOTFOUND: 'the name is not known to DNS',
  EAI_AGAIN: 'the name server does not answer',
  ECONNREFUSED: 'the connection is refused at this port',
  ECONNRESET: 'the connection was broken off',
  EHOSTUNREACH: 'there is no route to the host',
  ENETUNREACH: 'there is no route to the network',
  ETIMEDOUT: 'the connection was not made in time',
  UND_ERR_CONNECT_TIMEOUT: 'the connection was not made in time',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is from an authority that is not trusted here',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate is from an authority that is not trusted here',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is from an authority that is not trusted here',
  CERT_SIGNATURE_FAILURE: 'its certificate is from an authority that is not trusted here',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
  EPROTO: 'it does not speak TLS at this port',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak TLS at this port',
};

/** Why a connection was not made, as a person says it, with the code of the system behind it. */
export function describeConnectionProblem(error: unknown): string {
  const code = problemCode(error);
  const sentence = code === undefined ? undefined : sentences[code];
  return sentence === undefined ? problemText(error) : `${sentence} (${code})`;
}
