/** Which model a generation was made by. Null in records of versions that did not tell. */
export const MODELS_MIGRATION = `
alter table generations add column model_id text;
alter table generations add column engine_version text;
`
