import type { Job } from 'bullmq';

/** BullMQ allows neither colons nor plain integers as ids. */
export const toJobId = (id: string): string => `job-${encodeURIComponent(id)}`;

/** The id under which the job was added. */
export const fromJobId = ({ id = '' }: Pick<Job, 'id'>): string => decodeURIComponent(id.slice('job-'.length));
