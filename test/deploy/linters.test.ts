import { execFileSync, spawnSync } from 'node:child_process'
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { DCLinter } from 'dclint'
import { validate } from 'dockerfile-utils'
import * as apps from 'kubernetes-models/apps/v1'
import * as autoscaling from 'kubernetes-models/autoscaling/v2'
import * as batch from 'kubernetes-models/batch/v1'
import * as networking from 'kubernetes-models/networking.k8s.io/v1'
import * as policy from 'kubernetes-models/policy/v1'
import * as core from 'kubernetes-models/v1'
import { describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'

const deploy = resolve(import.meta.dirname, '../../deploy')
const textOf = async (file: string): Promise<string> => await readFile(join(deploy, file), 'utf8')

interface Manifest {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string }
  // biome-ignore lint/suspicious/noExplicitAny: manifests of every kind
  readonly spec?: any
}

interface Checked {
  validate(): void
}

/** A finding of the linter of compose files, which comes without types. */
interface Finding {
  readonly rule: string
  readonly line: number
  readonly message: string
}

/** Models of the Kubernetes API, by the versions that the manifests use. */
// biome-ignore lint/suspicious/noExplicitAny: each model takes an object of its own kind
const MODELS: Readonly<Record<string, Readonly<Record<string, new (data: any) => Checked>>>> = {
  v1: core,
  'apps/v1': apps,
  'batch/v1': batch,
  'policy/v1': policy,
  'autoscaling/v2': autoscaling,
  'networking.k8s.io/v1': networking,
} as never

async function manifests(): Promise<Manifest[]> {
  const { resources } = parse(await textOf('kubernetes/kustomization.yaml')) as { resources: string[] }
  const texts = await Promise.all(resources.map(async (file) => await textOf(`kubernetes/${file}`)))
  return texts.flatMap((text) => parseAllDocuments(text).map((document) => document.toJS() as Manifest))
}

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0

describe('the files of deploy/', () => {
  it('hold an image in which its linter finds no fault', async () => {
    expect(validate(await textOf('Containerfile'))).toEqual([])
  })

  it('hold a compose file in which its linter finds no fault', () => {
    const linter = new DCLinter({
      rules: {
        // The order of services is that of a reader, and the image that is built has a name for the others.
        'services-alphabetical-order': 0,
        'service-keys-order': 0,
        'top-level-properties-order': 0,
        'no-build-and-image': 0,
      },
      quiet: false,
      debug: false,
      exclude: [],
    })
    const files: readonly { messages: readonly Finding[] }[] = linter.lintFiles([join(deploy, 'compose')], false)
    const found = files.flatMap(({ messages }) => messages)
    expect(found.map(({ rule, line, message }) => `${line}: ${rule}: ${message}`)).toEqual([])
  })

  it('hold manifests of the Kubernetes API, all of them in the kustomization', async () => {
    const all = await manifests()
    for (const manifest of all) {
      const Model = MODELS[manifest.apiVersion]?.[manifest.kind]
      if (Model === undefined) throw new Error(`No model of ${manifest.apiVersion} ${manifest.kind}.`)
      expect(() => new Model(manifest).validate(), `${manifest.kind} ${manifest.metadata.name}`).not.toThrow()
    }
    const { resources } = parse(await textOf('kubernetes/kustomization.yaml')) as { resources: string[] }
    const files = (await readdir(join(deploy, 'kubernetes'))).filter((file) => file !== 'kustomization.yaml')
    expect([...resources].sort()).toEqual(files.sort())
  })

  it('are checked by a validator that finds a fault in a manifest', async () => {
    const api = (await manifests()).find(({ kind }) => kind === 'Deployment') as Manifest
    expect(() => new apps.Deployment({ ...api, spec: { ...api.spec, replicas: 'two' } } as never).validate()).toThrow()
  })

  it('select the pods of a deployment in every budget, service and autoscaler', async () => {
    const all = await manifests()
    const deployments = all.filter(({ kind }) => kind === 'Deployment')
    const labelsOf = ({ spec }: Manifest): string => JSON.stringify(spec.template.metadata.labels)
    for (const { kind, spec } of all) {
      if (kind === 'Deployment') expect(JSON.stringify(spec.selector.matchLabels)).toBe(labelsOf({ spec } as Manifest))
      if (kind === 'PodDisruptionBudget')
        expect(deployments.map(labelsOf)).toContain(JSON.stringify(spec.selector.matchLabels))
      if (kind === 'Service') expect(deployments.map(labelsOf)).toContain(JSON.stringify(spec.selector))
      if (kind === 'HorizontalPodAutoscaler')
        expect(deployments.map(({ metadata }) => metadata.name)).toContain(spec.scaleTargetRef.name)
    }
  })

  it('run nothing as root and write in volumes only', async () => {
    const pods = (await manifests()).filter(({ kind }) => kind === 'Deployment' || kind === 'Job')
    expect(pods.length).toBeGreaterThan(2)
    for (const { spec } of pods) {
      const { securityContext, containers } = spec.template.spec
      expect(securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } })
      for (const container of containers) {
        expect(container.securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        })
      }
    }
    expect(await textOf('Containerfile')).toMatch(/^USER node$/m)
  })

  it('leave claim tokens to the operator, and trust no range of proxies', async () => {
    const { services } = parse(await textOf('compose/compose.yaml'), { merge: true }) as {
      services: Record<
        string,
        { environment?: Record<string, string>; networks?: Record<string, { ipv4_address: string }> }
      >
    }
    const proxy = services.proxy?.networks?.front?.ipv4_address
    expect(proxy).toMatch(/^172\./)
    for (const name of ['api', 'worker'])
      expect(services[name]?.environment).toMatchObject({
        WHATIF_SERVE_CLAIMS: 'operator',
        WHATIF_SERVE_TRUSTED_PROXY: proxy,
      })
    const settings = (await manifests()).find(({ kind }) => kind === 'ConfigMap') as Manifest & { data: object }
    expect(settings.data).toMatchObject({ WHATIF_SERVE_CLAIMS: 'operator' })
    expect(settings.data).not.toHaveProperty('WHATIF_SERVE_TRUSTED_PROXY')
    for (const unit of ['whatif.service', 'whatif@.service'])
      expect(await textOf(`systemd/${unit}`)).toMatch(/^Environment=WHATIF_SERVE_CLAIMS=operator$/m)
  })

  it('let only the ingress controller and the collector of metrics reach the pods', async () => {
    const all = await manifests()
    const policies = all.filter(({ kind }) => kind === 'NetworkPolicy')
    const namespaces = ({ spec }: Manifest): string[] =>
      spec.ingress.flatMap((rule: { from: { namespaceSelector: { matchLabels: Record<string, string> } }[] }) =>
        rule.from.map(({ namespaceSelector }) => namespaceSelector.matchLabels['kubernetes.io/metadata.name']),
      )
    expect(policies.map(namespaces)).toEqual([['ingress-nginx', 'monitoring'], ['monitoring']])
  })

  it.skipIf(!hasSystemd)('hold units that systemd accepts and rates as well confined', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'whatif-units-'))
    try {
      const units = (await readdir(join(deploy, 'systemd'))).filter((file) => file.endsWith('.service'))
      expect(units.length).toBe(3)
      for (const unit of units) {
        const file = join(folder, unit.replace('@.', '@api.'))
        await cp(join(deploy, 'systemd', unit), file)
        const verified = spawnSync('systemd-analyze', ['verify', file], { encoding: 'utf8' })
        expect({ unit, status: verified.status, said: verified.stderr }).toEqual({ unit, status: 0, said: '' })
        // Exposure of at most 2.0 of 10.
        execFileSync('systemd-analyze', ['security', '--offline=true', '--threshold=20', '--no-pager', file])
      }
      const broken = join(folder, 'broken.service')
      await writeFile(broken, '[Service]\nExecStart=serve\nRestart=sometimes\n')
      expect(spawnSync('systemd-analyze', ['verify', broken], { encoding: 'utf8' }).stderr).not.toBe('')
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
})
