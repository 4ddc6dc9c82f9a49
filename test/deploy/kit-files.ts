import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'

export const REPOSITORY = resolve(import.meta.dirname, '../..')
export const DEPLOY = join(REPOSITORY, 'deploy')

export interface ComposeService {
  readonly image: string
  readonly command: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly secrets?: readonly string[]
  readonly networks?: readonly string[] | Readonly<Record<string, { readonly ipv4_address?: string }>>
  readonly deploy?: { readonly replicas: number; readonly resources?: { readonly limits: { readonly memory: string } } }
  readonly read_only?: boolean
  readonly tmpfs?: readonly string[]
  readonly cap_drop?: readonly string[]
  readonly security_opt?: readonly string[]
  readonly healthcheck?: { readonly test: readonly string[] }
}

export interface Compose {
  readonly services: Readonly<Record<string, ComposeService>>
  readonly networks: {
    readonly front: {
      readonly ipam: { readonly config: readonly { readonly subnet: string; readonly ip_range: string }[] }
    }
  }
}

/** What the manifests say of a pod. */
export interface Pod {
  readonly securityContext: { readonly runAsUser: number; readonly runAsGroup: number; readonly fsGroup?: number }
  readonly volumes?: readonly { readonly name: string }[]
  readonly containers: readonly [
    {
      readonly args: readonly string[]
      readonly ports?: readonly { readonly containerPort: number }[]
      readonly env?: readonly {
        readonly name: string
        readonly valueFrom: { readonly secretKeyRef: { readonly key: string } }
      }[]
      readonly envFrom?: readonly object[]
      readonly resources: { readonly limits: { readonly memory: string } }
      readonly securityContext: {
        readonly readOnlyRootFilesystem: boolean
        readonly allowPrivilegeEscalation: boolean
        readonly capabilities: { readonly drop: readonly string[] }
      }
      readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string }[]
      readonly startupProbe?: Probe
      readonly readinessProbe?: Probe
      readonly livenessProbe?: Probe
    },
  ]
}

export interface Probe {
  readonly httpGet: { readonly path: string }
}

export interface Manifest {
  readonly kind: string
  readonly metadata: { readonly name: string }
  readonly data?: Readonly<Record<string, string>>
  readonly spec?: { readonly template: { readonly spec: Pod } }
}

/** Manifests of pods and of their settings. */
export function readManifests(): Manifest[] {
  const folder = join(DEPLOY, 'kubernetes')
  const texts = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'))
  // Services, budgets and the like have no template.
  return texts
    .flatMap((text) => parseAllDocuments(text).map((document) => document.toJS() as Manifest))
    .filter(({ kind }) => ['ConfigMap', 'Deployment', 'Job'].includes(kind))
}

/** The image of the Containerfile, as flags: its files from the working folder, its user, its place and its variables. */
export interface Image {
  readonly entrypoint: readonly string[]
  readonly healthcheck: readonly string[]
  readonly flags: readonly string[]
  readonly mounts: Readonly<Record<string, string>>
  readonly environment: Readonly<Record<string, string>>
}

/** Node in a container, and where a container looks for programs. */
export const NODE = { '/opt/bin/node': `${process.execPath}:ro` }
export const PATH = { PATH: '/opt/bin:/usr/sbin:/usr/bin:/sbin:/bin' }

/** The services of the compose file. */
export const readCompose = (): Compose =>
  parse(readFileSync(join(DEPLOY, 'compose/compose.yaml'), 'utf8'), { merge: true })

/** The address that the services trust as their proxy's. */
export function addressOfProxy({ services }: Compose): string {
  const networks = services.proxy?.networks as Readonly<Record<string, { readonly ipv4_address: string }>> | undefined
  return String(networks?.front?.ipv4_address)
}

/** The Containerfile says what its image holds and how it starts. */
export function readImage(): Image {
  const text = readFileSync(join(DEPLOY, 'Containerfile'), 'utf8')
  const stage = text.slice(text.lastIndexOf('\nFROM '))
  const found = (pattern: RegExp): string => pattern.exec(stage)?.[1] as string
  const copied = [...stage.matchAll(/^COPY --from=build (.+) \S+$/gm)].flatMap(([, paths]) => String(paths).split(' '))
  const files = copied.map((path) => path.replace('/build/', ''))
  expect(files).toContain('node_modules')
  return {
    entrypoint: JSON.parse(found(/^ENTRYPOINT (.+)$/m)),
    healthcheck: JSON.parse(found(/^ {2}CMD (.+)$/m)),
    flags: ['--user', '1000:1000', '--workdir', found(/^WORKDIR (.+)$/m)],
    mounts: {
      ...NODE,
      ...Object.fromEntries(files.map((name) => [`/opt/whatif/${name}`, `${join(REPOSITORY, name)}:ro`])),
    },
    environment: { ...PATH, ...Object.fromEntries([found(/^ENV (.+)$/m).split('=')]) },
  }
}
