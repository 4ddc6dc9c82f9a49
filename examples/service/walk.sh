#!/bin/sh
# The whole way through the service with curl: signup, approval, claim, token, upload, training, schema, a scenario,
# download. Run it against a service of your own:
#
#   WHATIF_OPERATOR_TOKEN=$(openssl rand -hex 16) && export WHATIF_OPERATOR_TOKEN
#   whatif serve --port 8080 --data ./service-data &
#   BASE_URL=http://127.0.0.1:8080 sh examples/service/walk.sh
#
# Without WHATIF_OPERATOR_TOKEN it waits until the operator has approved the signup.
#
# BASE_URL   address of the service
# SEED_FILE  file to upload; default: the coffee tracker beside this script
# OUT        file to write; default: rows.csv
# EMAIL      contact of the signup; one request per address is open at a time
#
# Needs curl and node, which takes fields out of the replies. Secrets stay in files that only you can read, in a folder
# that is removed at the end: neither the screen nor the list of processes shows them.

set -eu
umask 077

: "${BASE_URL:?is the address of the service, without a slash at the end}"
here=$(dirname "$0")
SEED_FILE=${SEED_FILE:-$here/../coffee/tracker.csv}
OUT=${OUT:-rows.csv}
EMAIL=${EMAIL:-walk-$(date +%s)-$$@example.org}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

# call STATUSES METHOD PATH [curl options]: sends a request; the body of the reply goes to $work/reply. A status that is
# not among those expected ends the script with the problem record, which says what to change.
call() {
  expected=$1 method=$2 path=$3
  shift 3
  status=$(curl --silent --show-error --max-time 120 --request "$method" --output "$work/reply" \
    --write-out '%{http_code}' "$@" "$BASE_URL$path")
  case " $expected " in
    *" $status "*) ;;
    *)
      echo "$method $path was answered with $status:" >&2
      cat "$work/reply" >&2
      exit 1
      ;;
  esac
}

# field FILE NAME...: one field of a JSON file, empty when it is absent. A parser, because sed misreads escapes and nesting.
field() {
  node -e '
    const [file, ...path] = process.argv.slice(1)
    const json = JSON.parse(require("node:fs").readFileSync(file, "utf8"))
    process.stdout.write(String(path.reduce((value, name) => value?.[name], json) ?? ""))
  ' "$@"
}

# authorization FILE TOKEN: the header as a file for curl (-H @FILE). printf is part of the shell: no process shows it.
authorization() {
  printf 'Authorization: Bearer %s\n' "$2" > "$work/$1"
}

# poll PATH FIELD VALUES: asks every two seconds until FIELD is one of VALUES; the last reply is in $work/reply.
poll() {
  tries=0
  while :; do
    call 200 GET "$1" -H "@$work/client.header"
    value=$(field "$work/reply" "$2")
    case " $3 " in *" $value "*) return ;; esac
    tries=$((tries + 1))
    if [ "$tries" -gt 300 ]; then
      echo "$1 is still $value after ten minutes." >&2
      exit 1
    fi
    sleep 2
  done
}

echo "1. Ask for access"
printf '{"company_name": "Walk through the service", "contact_email": "%s"}' "$EMAIL" > "$work/signup.json"
call '200 202' POST /v1/signup -H 'Content-Type: application/json' -d "@$work/signup.json"
request_id=$(field "$work/reply" request_id)
# Who knows the request id can claim the credentials, once: it goes into no list of processes either.
printf 'url = "%s/v1/signup/%s"\n' "$BASE_URL" "$request_id" > "$work/status.curl"

if [ -n "${WHATIF_OPERATOR_TOKEN:-}" ]; then
  echo "2. Approve it, as the operator"
  authorization operator.header "$WHATIF_OPERATOR_TOKEN"
  printf 'url = "%s/operator/v1/signups/%s/approve"\n' "$BASE_URL" "$request_id" > "$work/approve.curl"
  curl --silent --show-error --fail --request POST -H "@$work/operator.header" --config "$work/approve.curl" > "$work/reply"
else
  echo "2. Wait for the operator's approval"
fi
while :; do
  curl --silent --show-error --fail --config "$work/status.curl" > "$work/status.json"
  case $(field "$work/status.json" status) in
    approved) break ;;
    declined) echo "The operator declined the request." >&2; exit 1 ;;
  esac
  sleep 2
done

echo "3. Redeem the claim token for credentials, once"
claim_token=$(field "$work/status.json" credential_claim_token)
printf '{"claim_token": "%s"}' "$claim_token" > "$work/claim.json"
call 200 POST /v1/credential-claims -H 'Content-Type: application/json' -d "@$work/claim.json"
# The reply is what a token request holds, too; keep it as you keep other production secrets.
cp "$work/reply" "$work/credentials.json"

echo "4. Mint a bearer token"
token_url=$(field "$work/credentials.json" token_url)
curl --silent --show-error --fail -H 'Content-Type: application/json' -d "@$work/credentials.json" "$token_url" \
  > "$work/token.json"
authorization client.header "$(field "$work/token.json" access_token)"

echo "5. Upload the seed file"
# One key for each piece of work: should the connection break, the same call again makes nothing twice.
call '200 202' POST /v1/datasets -H "@$work/client.header" -H "Idempotency-Key: walk-upload-$$" \
  -F display_name='Coffee tracker' -F wait_seconds=30 -F "seed_file=@$SEED_FILE"
dataset_id=$(field "$work/reply" dataset_id)
if [ "$(field "$work/reply" status)" = processing ]; then
  poll "/v1/jobs/$(field "$work/reply" job_id)" status 'completed failed expired cancelled'
  if [ "$(field "$work/reply" status)" != completed ]; then
    echo "Training did not succeed: $(field "$work/reply" error detail)" >&2
    exit 1
  fi
fi
echo "   dataset $dataset_id"

echo "6. Read the cleaned schema: conditions are built from it, not from the headers of the file"
call 200 GET "/v1/datasets/$dataset_id/schema" -H "@$work/client.header"
node -e '
  const { schema } = JSON.parse(require("node:fs").readFileSync(process.argv[1], "utf8"))
  for (const { name, levels, min, max } of schema) console.log("   " + name + ": " + (levels?.join(", ") ?? min + " to " + max))
' "$work/reply"

echo "7. Ask for 1,000 rows: 70 % from the North, all aged 18 to 34"
cat > "$work/scenario.json" <<'JSON'
{
  "row_count": 1000,
  "output_format": "csv",
  "seed": 7,
  "wait_seconds": 10,
  "conditions": {
    "categorical": { "region": { "North": 0.7 } },
    "numeric": { "age": { "min": 18, "max": 34 } }
  }
}
JSON
call '200 202' POST "/v1/datasets/$dataset_id/generations" -H "@$work/client.header" \
  -H 'Content-Type: application/json' -H "Idempotency-Key: walk-generation-$$" -d "@$work/scenario.json"
generation_id=$(field "$work/reply" generation_id)
poll "/v1/generations/$generation_id" status 'ready partial failed'
if [ "$(field "$work/reply" status)" = failed ]; then
  echo "The generation failed: $(field "$work/reply" error detail)" >&2
  exit 1
fi
echo "   generation $generation_id is $(field "$work/reply" status): $(field "$work/reply" rows_generated) rows"

echo "8. Download the rows"
artifact_url=$(field "$work/reply" artifact_url)
case $artifact_url in
  # The customer's own storage: the address is signed, the token stays here.
  http*) printf 'url = "%s"\n' "$artifact_url" > "$work/artifact.curl" ;;
  *)
    printf 'url = "%s"\n' "$BASE_URL$artifact_url" > "$work/artifact.curl"
    printf 'header = "@%s"\n' "$work/client.header" >> "$work/artifact.curl"
    ;;
esac
curl --silent --show-error --fail --config "$work/artifact.curl" --output "$OUT.part"
mv "$OUT.part" "$OUT"
echo "   $OUT: $(wc -l < "$OUT") lines, header included"

echo "9. Delete the dataset"
call 204 DELETE "/v1/datasets/$dataset_id" -H "@$work/client.header"
