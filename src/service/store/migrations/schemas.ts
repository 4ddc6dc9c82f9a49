/**
 * Schemas are stored uncompressed: compressing one of 4 MiB takes an embedded database 50 ms, while nobody else is
 * served.
 */
export const SCHEMAS_MIGRATION = `
alter table datasets alter column schema set storage external;
`
