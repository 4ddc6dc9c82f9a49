/** The trace that ordered a job (`traceparent` of W3C Trace Context): null while nobody traces. */
export const TRACES_MIGRATION = `
alter table jobs add column trace_parent text;
`
