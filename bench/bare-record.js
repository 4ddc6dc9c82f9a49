// The answer of the bare route, and of the matching route in the service.
export const BARE_RECORD = {
  job_id: 'job_0000000000000000000000',
  status: 'completed',
  dataset_id: 'ds_0000000000000000000000',
}
