/**
 * Schemas are stored as they are: packing one of 4 MiB takes an embedded database 50 ms, in which nobody else is answered.
 */
export const SCHEMAS_MIGRATION = `
alter table datasets alter column schema set storage external;
`
