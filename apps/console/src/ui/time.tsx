const format = new Intl.DateTimeFormat(undefined, { dateStyle: 'short', timeStyle: 'medium' });

/** A time as people here read it, and in UTC where the pointer rests. */
export const Time = ({ at }: { readonly at: string }) => (
  <time dateTime={at} title={new Date(at).toISOString()}>
    {format.format(new Date(at))}
  </time>
);
