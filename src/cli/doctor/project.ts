import { existsSync } from 'node:fs'
import { join, relative } from 'node:path'
import { RUNS_FROM_PACKAGE } from '../shared/files/package-root.js'
import { doubtful, fine, wrong, type Examination } from './examination.js'

const manifestOf = (root: string): string => relative(process.cwd(), join(root, 'svc.yaml')) || 'svc.yaml'

/** Whether the manifest is valid. */
export const manifestIsValid: Examination = {
  name: 'manifest',
  of: async (root) => {
    if (!existsSync(join(root, 'svc.yaml')))
      return RUNS_FROM_PACKAGE ? wrong('There is no svc.yaml.', 'Make a project with: svc init <name>') : undefined
    const { readManifest } = await import('../validate/read-manifest.js')
    const { check } = await import('../../compiler/check.js')
    const { sources, includeProblems } = await readManifest(manifestOf(root))
    const { diagnostics } = check(sources, { includeProblems, now: Date.now() })
    const errors = diagnostics.filter(({ severity }) => severity === 'error').length
    if (errors > 0) return wrong(`svc.yaml has ${errors} ${errors === 1 ? 'error' : 'errors'}.`, 'Run: svc validate')
    return diagnostics.length === 0
      ? fine('svc.yaml is valid')
      : fine(`svc.yaml is valid; svc validate has ${diagnostics.length} to say`)
  },
}

/** Whether what was generated is that of the manifest. */
export const buildIsCurrent: Examination = {
  name: 'build',
  of: async (root) => {
    if (!existsSync(join(root, 'svc.yaml')) || !RUNS_FROM_PACKAGE) return undefined
    if (!existsSync(join(root, 'svc.lock.json'))) return wrong('Nothing was built yet.', 'Run: svc build')
    const [{ buildSettings }, { generatorName }, { isPublished, isUnchanged, isUnfinished }, { outOfDateNote }] =
      await Promise.all([
        import('../config/build-settings.js'),
        import('../build/generator-name.js'),
        import('../build/unchanged.js'),
        import('../build/before-start.js'),
      ])
    const settings = await buildSettings(root)
    const isCurrent = isUnchanged(root, generatorName(), settings)
    if (isCurrent && (await isPublished(join(root, settings.folders.dist))))
      return isUnfinished(root, settings)
        ? doubtful('dist/ is a draft: svc dev wrote it, or types were not checked.', 'Run: svc build')
        : fine('generated/ and dist/ are up to date')
    const note = outOfDateNote(root, settings.folders.dist)
    return doubtful(note ?? 'Something has changed since the last build.', 'Run: svc build')
  },
}
