import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { packageEngines, packageVersion, RUNS_FROM_PACKAGE } from '../shared/files/package-root.js'
import { doubtful, fine, wrong, type Examination } from './examination.js'

/** `[major, minor]` from which each line of Node is supported; the last one and all after it. */
const SUPPORTED = [
  [20, 19],
  [22, 13],
  [24, 0],
] as const

/** Whether this Node is one that svc-kit runs on. */
export const nodeIsSupported: Examination = {
  name: 'node',
  of: () => {
    const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
    const line = SUPPORTED.find(([each]) => each === major)
    const isSupported = line === undefined ? major > 24 : minor >= line[1]
    return isSupported
      ? fine(process.version)
      : wrong(`${process.version} is not supported; svc-kit needs ${packageEngines()}.`, 'Install the newest Node 24.')
  },
}

interface Package {
  readonly version?: string
  readonly dependencies?: { readonly [name: string]: string }
  readonly devDependencies?: { readonly [name: string]: string }
}

/** Whether the project has the packages that it names, and this very svc-kit. */
export const packagesAreInstalled: Examination = {
  name: 'packages',
  of: (root) => {
    if (!RUNS_FROM_PACKAGE) return fine(`svc-kit ${packageVersion()}, and all others, in one file`)
    const own = readPackage(join(root, 'package.json'))
    if (own === undefined) return wrong('There is no package.json.', 'Make a project with: svc init <name>')
    // Those for development are needed for development only, but svc-kit builds.
    const builds = Object.keys(own.devDependencies ?? {}).filter((name) => name === 'svc-kit')
    const named = [...Object.keys(own.dependencies ?? {}), ...builds]
    if (!named.includes('svc-kit'))
      return wrong('package.json does not name svc-kit.', 'Run: npm install --save-dev svc-kit')
    const missing = named.filter((name) => installedAt(root, name) === undefined)
    if (missing.length > 0) return wrong(`Not installed: ${missing.join(', ')}.`, 'Run: npm install')
    const { version } = readPackage(join(installedAt(root, 'svc-kit')!, 'package.json')) ?? {}
    if (version !== packageVersion())
      return doubtful(`The project has svc-kit ${version}, and this is ${packageVersion()}.`, 'Run it as: npx svc')
    const built = versionInBuild(root)
    return built === undefined || built === version
      ? fine(`svc-kit ${version}`)
      : doubtful(`The last build has svc-kit ${built}, and ${version} is installed.`, 'Run: svc build')
  },
}

/** Version of svc-kit in the bill of materials of the last build; undefined without one. */
function versionInBuild(root: string): string | undefined {
  const file = join(root, 'dist/sbom.cdx.json')
  if (!existsSync(file)) return undefined
  const { components = [] } = JSON.parse(readFileSync(file, 'utf8')) as { readonly components?: readonly Component[] }
  return components.find(({ name }) => name === 'svc-kit')?.version
}

interface Component {
  readonly name?: string
  readonly version?: string
}

/** Where a package lies: in the project, or in a workspace above it. */
function installedAt(folder: string, name: string): string | undefined {
  const place = join(folder, 'node_modules', name)
  if (existsSync(place)) return place
  return folder === dirname(folder) ? undefined : installedAt(dirname(folder), name)
}

function readPackage(file: string): Package | undefined {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Package) : undefined
}
