/** `svc init --deploy`: what a service runs in, for a new one and for one that exists (decisions, section 13). */
import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { CliError, EXIT, type ExitCode } from '../shared/errors/cli-error.js'
import { packageRoot } from '../shared/files/package-root.js'
import { nameFrom, type InitOptions } from './answers.js'
import { createFiles, refuseConflicts } from './create-files.js'
import { scaffoldedBelow, type ScaffoldFile } from './template-files.js'
import { templateValues, type TemplateValues } from './template-values.js'
import { printOut } from '../shared/output/print.js'

/** Deployment kind -> place of its files. */
export const DEPLOYMENTS = {
  docker: '',
  kubernetes: 'deploy/kubernetes/',
  systemd: 'deploy/systemd/',
  monitoring: 'deploy/monitoring/',
} as const

export type Deployment = keyof typeof DEPLOYMENTS

/** The words of `--deploy docker,systemd`; none without it. */
export function deploymentsIn(given: string | undefined): readonly Deployment[] {
  if (given === undefined) return []
  const words = [...new Set(given.split(',').map((word) => word.trim()))]
  const unknown = words.filter((word) => !Object.hasOwn(DEPLOYMENTS, word))
  if (unknown.length === 0) return words as Deployment[]
  throw new CliError(
    `There is no deployment ${unknown.map((word) => JSON.stringify(word)).join(', ')}; there are ` +
      `${Object.keys(DEPLOYMENTS).join(', ')}, several with commas between them.`,
  )
}

/** The files of the deployments, filled in. */
export async function deploymentFiles(
  kinds: readonly Deployment[],
  values: TemplateValues,
): Promise<readonly ScaffoldFile[]> {
  const named = { ...values, package: machineName(String(values['package'])) }
  const found = await Promise.all(
    kinds.map(async (kind) => {
      const files = await scaffoldedBelow(join(packageRoot(), 'templates/deploy', kind), named)
      return files.map((file) => ({ ...file, path: `${DEPLOYMENTS[kind]}${file.path}` }))
    }),
  )
  return found.flat()
}

/** A name that images, clusters and users of a system take: letters, digits and dashes, short enough for a suffix. */
const machineName = (name: string): string =>
  name
    .replaceAll(/[^a-z0-9-]+/gu, '-')
    .slice(0, 31)
    .replace(/-+$/u, '')

export const isService = (folder: string): boolean => existsSync(join(folder, 'svc.yaml'))

/** Adds deployments to a service that is there. Nothing is written when any of the files exists. */
export async function addDeployments(folder: string, options: InitOptions): Promise<ExitCode> {
  refuseOfNew(options)
  const files = await deploymentFiles(deploymentsIn(options.deploy), valuesOf(folder, options))
  await refuseConflicts(
    folder,
    files.map(({ path }) => path),
  )
  await createFiles(folder, files)
  const made = files.map(({ path }) => `  ${path}\n`).join('')
  printOut(
    `Made ${files.length} files:\n\n${made}\nRead them, then commit them. Each says at its top how it is used.\n`,
  )
  return EXIT.ok
}

/** Choices of a new service are made already. */
function refuseOfNew(options: InitOptions): void {
  const of = (['name', 'template', 'mcp'] as const).filter((name) => options[name] !== undefined)
  if (of.length > 0)
    throw new CliError(
      `There is a service here: leave out ${of.map((name) => `--${name}`).join(', ')}. --deploy adds to it.`,
    )
}

/** Returns the template values of a folder's service, from its package and its start-up code. */
function valuesOf(folder: string, { storage, signIn, svcKit = dependencyIn(folder) }: InitOptions): TemplateValues {
  const main = textOf(folder, 'main.ts')
  const answers = {
    name: basename(nameIn(folder) ?? nameFrom(folder)),
    template: 'minimal',
    storage: (storage ?? (main.includes('svc-kit/runtime/postgres') ? 'postgres' : 'sqlite')) as 'sqlite',
    signIn: (signIn ?? (/\boidc:/u.test(main) ? 'oidc' : 'api-keys')) as 'oidc',
    tests: false,
    mcp: false,
  }
  return templateValues(answers, svcKit, { packages: needsPackages(folder) })
}

function nameIn(folder: string): string | undefined {
  const { name } = packageIn(folder)
  return typeof name === 'string' && /^(?:@[\w.-]+\/)?[a-z0-9][\w.-]*$/u.test(name) ? name : undefined
}

function dependencyIn(folder: string): string {
  const { dependencies, devDependencies } = packageIn(folder)
  return dependencies?.['svc-kit'] ?? devDependencies?.['svc-kit'] ?? ''
}

/** Packages of ours that are always part of the one file. */
const JOINED = ['svc-kit', 'pg', '@modelcontextprotocol/server', '@modelcontextprotocol/client']

const needsPackages = (folder: string): boolean =>
  Object.keys(packageIn(folder).dependencies ?? {}).some((name) => !JOINED.includes(name))

interface Package {
  readonly name?: unknown
  readonly dependencies?: { readonly [name: string]: string }
  readonly devDependencies?: { readonly [name: string]: string }
}

function packageIn(folder: string): Package {
  try {
    return JSON.parse(textOf(folder, 'package.json')) as Package
  } catch {
    return {}
  }
}

const textOf = (folder: string, file: string): string =>
  existsSync(join(folder, file)) ? readFileSync(join(folder, file), 'utf8') : ''
