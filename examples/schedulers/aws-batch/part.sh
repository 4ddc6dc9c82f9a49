#!/bin/sh
# What a job of AWS Batch runs, in the image beside the project. Batch counts from 0, whatif from 1. A job that is no element
# of an array has no index: it merges.
set -eu

study="$1" parts="$2"
if [ -n "${AWS_BATCH_JOB_ARRAY_INDEX:-}" ]; then
  exec node_modules/.bin/whatif run "$study" --yes --out /results --allow-outside \
    --shard "$((AWS_BATCH_JOB_ARRAY_INDEX + 1))/$parts"
fi
exec node_modules/.bin/whatif merge "$study" --out /results --allow-outside --shards "$parts"
