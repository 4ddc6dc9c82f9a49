#!/bin/sh
# A study in parts as a Slurm job array, and one job that merges them.
#
#   examples/schedulers/slurm/submit.sh grid.study.yaml 20
#
# Call it in the folder of the project, on a disk that all nodes see. Part 3 alone again, after a failure:
#
#   sbatch --array=3 --export=ALL,STUDY=grid.study.yaml,PARTS=20 part.sbatch
set -eu

export STUDY="$1" PARTS="$2"
here=$(dirname "$0")

parts=$(sbatch --parsable --array="1-$PARTS" --export=ALL "$here/part.sbatch")
# afterany, not afterok: the merge names the parts that are missing, and its exit code says so.
merge=$(sbatch --parsable --dependency="afterany:${parts%%;*}" --export=ALL "$here/merge.sbatch")
echo "parts: job ${parts%%;*}, merge: job ${merge%%;*}"
