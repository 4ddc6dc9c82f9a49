#!/usr/bin/env bash
# Creates the missing secrets of compose.yaml. The mode of the folder keeps other users out. The files themselves are
# readable by all, because Docker mounts them unchanged and the containers run as other users.
set -euo pipefail
cd "$(dirname "$0")"
umask 077
mkdir -p secrets
chmod 700 secrets

# keep NAME: writes standard input to secrets/NAME, unless it exists
keep() {
  if [ ! -e "secrets/$1" ]; then cat > "secrets/$1"; else cat > /dev/null; fi
  chmod 644 "secrets/$1"
}
random() { openssl rand -hex "$1" | tr -d '\n'; }

random 24 | keep database_password
printf 'postgresql://whatif:%s@database:5432/whatif' "$(cat secrets/database_password)" | keep database_url
random 32 | keep master_key
random 32 | keep operator_token
random 10 | keep storage_key_id
random 20 | keep storage_key
printf '{"identities":[{"name":"whatif","credentials":[{"accessKey":"%s","secretKey":"%s"}],"actions":["Admin","Read","Write","List"]}]}' \
  "$(cat secrets/storage_key_id)" "$(cat secrets/storage_key)" | keep storage_config
echo "The secrets are in $(pwd)/secrets."
