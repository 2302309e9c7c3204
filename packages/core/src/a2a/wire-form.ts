/**
 * How tasks and messages are written.
 * - `current`: the ProtoJSON of A2A 1.0.
 * - `kind`: the JSON of 0.2 and 0.3, where a member `kind` tells what an object is.
 * - `draft`: the ProtoJSON that 0.3 has on HTTP, where a message has `content` instead of `parts`.
 * - `rest`: the gateway's own REST API, in snake case.
 */
export type WireForm = 'current' | 'kind' | 'draft' | 'rest';

/** Before 1.0 a data part had to be an object: any other value was put into one, and marked. */
export const wrappedDataFlag = 'data_part_compat';
