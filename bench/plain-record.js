// What the bare route answers, and the route beside it in the service.
export const PLAIN_RECORD = {
  job_id: 'job_0000000000000000000000',
  status: 'completed',
  dataset_id: 'ds_0000000000000000000000',
}
