import { execFileSync, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { ObjectStorage } from '../../../src/objects/object-storage.ts'
import { RequestSigner } from '../../../src/objects/request-signer.ts'
import { lastingPort } from '../served-process.ts'

/** Ceph's object storage with a cluster of one disk in memory, and two users of its bucket. */
export interface RadosGateway {
  /** Owns the bucket. */
  readonly owner: ObjectStorage
  /** Has no rights but those of `allow`. */
  readonly guest: ObjectStorage
  /** Replaces the policy of the bucket: statements as in AWS. */
  readonly allow: (statements: readonly object[]) => Promise<void>
  readonly close: () => Promise<void>
}

const PROGRAMS = ['ceph', 'ceph-mon', 'ceph-osd', 'monmaptool', 'radosgw', 'radosgw-admin']

/** Whether Debian's packages are there: `radosgw ceph-mon ceph-osd ceph-common`. */
export function hasRadosGateway(): boolean {
  try {
    for (const program of PROGRAMS) execFileSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

const settings = (folder: string, fsid: string, monitor: number, port: number) => `[global]
fsid = ${fsid}
mon_host = v1:127.0.0.1:${monitor}
auth_cluster_required = none
auth_service_required = none
auth_client_required = none
public_addr = 127.0.0.1
cluster_addr = 127.0.0.1
ms_bind_msgr2 = false
run_dir = ${folder}
admin_socket = ${folder}/$name.socket
log_file = ${folder}/$name.log
pid_file = ${folder}/$name.pid
mon_data_avail_crit = 1
mon_allow_pool_size_one = true
osd_pool_default_size = 1
osd_pool_default_min_size = 1
osd_pool_default_pg_num = 4
osd_pool_default_pg_autoscale_mode = off
osd_crush_chooseleaf_type = 0
osd_objectstore = memstore
memstore_device_bytes = 2147483648
[mon.a]
mon_data = ${folder}/mon
[osd.0]
osd_data = ${folder}/osd
[client.rgw]
rgw_frontends = beast endpoint=127.0.0.1:${port}
rgw_relaxed_region_enforcement = true
rgw_run_sync_thread = false
rgw_enable_lc_threads = false
rgw_enable_quota_threads = false
`

/** Ends with its standard input, and so with the process that started it. */
const KEEPER = `
set -e
folder=$1; fsid=$2; monitor=$3
export CEPH_CONF=$folder/ceph.conf
trap 'kill $(jobs -p) 2>/dev/null; wait; rm -rf "$folder"' EXIT
mkdir $folder/mon $folder/osd
monmaptool --create --addv a "[v1:127.0.0.1:$monitor]" --fsid $fsid $folder/monmap >/dev/null
ceph-mon --mkfs -i a --monmap $folder/monmap
ceph-mon -i a -f >/dev/null 2>&1 &
timeout 60 ceph osd create >/dev/null 2>&1
ceph-osd -i 0 --mkfs >/dev/null 2>&1
# Its first start may end before it is known to the monitor.
osd=
until ceph osd stat 2>/dev/null | grep -q ' 1 up'; do
  kill -0 "$osd" 2>/dev/null || { ceph-osd -i 0 -f >/dev/null 2>&1 & osd=$!; }
  sleep 0.2
done
for user in owner guest; do
  timeout 60 radosgw-admin -n client.rgw user create --uid=$user --display-name=$user --access-key=$user-key --secret=$user-secret >/dev/null 2>&1
done
radosgw -n client.rgw -f >/dev/null 2>&1 &
echo ready
cat >/dev/null
`

export async function startRadosGateway(): Promise<RadosGateway> {
  const folder = mkdtempSync(join(tmpdir(), 'whatif-rgw-'))
  const [monitor, port] = [await lastingPort(), await lastingPort()]
  const fsid = randomUUID()
  writeFileSync(join(folder, 'ceph.conf'), settings(folder, fsid, monitor, port))
  const keeper = spawn('bash', ['-c', KEEPER, 'keeper', folder, fsid, String(monitor)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = new Promise<void>((done) => keeper.on('close', () => done()))
  await new Promise<void>((resolve, reject) => {
    createInterface(keeper.stdout).on('line', () => resolve())
    keeper.on('close', () => reject(new Error('the storage did not start')))
  })
  const endpoint = `http://127.0.0.1:${port}`
  const place = { endpoint, region: 'default', bucket: 'team-state', prefix: 'studies/' }
  const owner = { ...place, accessKeyId: 'owner-key', secretAccessKey: 'owner-secret' }
  const signer = new RequestSigner(owner, () => Date.now())
  const put = async (query: string, body: string): Promise<void> => {
    const url = new URL(`${endpoint}/team-state${query}`)
    const request = { url, method: 'PUT', headers: {} }
    const headers = await signer.sign(request, await signer.credentials.current())
    const reply = await fetch(url, { method: 'PUT', headers, body })
    if (!reply.ok) throw new Error(`${reply.status} ${await reply.text()}`)
  }
  for (let tries = 0; ; tries++) {
    const failure = await put('', '').then(
      () => null,
      (error: unknown) => error,
    )
    if (failure === null) break
    if (tries === 100) throw failure
    await new Promise((done) => setTimeout(done, 200))
  }
  return {
    owner,
    guest: { ...place, accessKeyId: 'guest-key', secretAccessKey: 'guest-secret' },
    allow: (Statement) => put('?policy', JSON.stringify({ Version: '2012-10-17', Statement })),
    close: async () => {
      keeper.stdin.end()
      await ended
    },
  }
}
