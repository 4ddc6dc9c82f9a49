#!/bin/sh
# A study in parts as an array job of AWS Batch, and one job that merges them, on a file system that both mount (EFS).
#
#   aws batch register-job-definition --cli-input-json file://job-definition.json
#   examples/schedulers/aws-batch/submit.sh my-queue grid.study.yaml 20
set -eu

queue="$1" study="$2" parts="$3"

array=$(aws batch submit-job --job-name whatif-parts --job-queue "$queue" --job-definition whatif-part \
  --array-properties "size=$parts" --parameters "study=$study,parts=$parts" --query jobId --output text)
# It begins when every part has succeeded. After a failure, submit the array again: what is done is not done again.
aws batch submit-job --job-name whatif-merge --job-queue "$queue" --job-definition whatif-part \
  --depends-on "jobId=$array" --parameters "study=$study,parts=$parts" --query jobId --output text
