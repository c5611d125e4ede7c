/** Which language servers a workspace needs: one for each installed svc-kit whose folder holds manifests. */
import { existsSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'

const PROGRAM = join('node_modules', 'svc-kit', 'bin', 'svc.cjs')

/** The folder above a manifest that has svc-kit installed, not above the folder of the workspace; undefined if there is none. */
export function homeOf(manifest, workspaceFolder, exists = existsSync) {
  for (let folder = dirname(manifest); isWithin(folder, workspaceFolder); folder = dirname(folder))
    if (exists(join(folder, PROGRAM))) return folder
  return undefined
}

const isWithin = (folder, above) => folder === above || folder.startsWith(above.endsWith(sep) ? above : above + sep)

/** Each folder once. */
export const homesOf = (manifests, workspaceFolder, exists = existsSync) =>
  [...new Set(manifests.map((manifest) => homeOf(manifest, workspaceFolder, exists)))].filter(
    (home) => home !== undefined,
  )

/** How a server is started: by Node, never by a shell. */
export const serverOf = (home) => ({
  command: 'node',
  args: [join(home, PROGRAM), 'lsp', '--stdio'],
  options: { cwd: home, shell: false },
})

/** The files that a server is told of; it finds out which of them are manifests. */
export const documentsOf = (home) =>
  ['yaml', 'json'].map((language) => ({ scheme: 'file', language, pattern: `${home.replaceAll('\\', '/')}/**` }))
