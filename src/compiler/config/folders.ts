import type { Report } from '../finding.js'
import { at } from '../shape/view.js'
import type { ConfigView } from './config.js'

/** Default output folders of a build. */
export const FOLDERS = { generated: 'generated', dist: 'dist' } as const

export interface Folders {
  /** Relative to the project, with `/` between and none at the end. */
  readonly generated: string
  readonly dist: string
}

const FOLDER = /^[\w-][\w.-]*(?:\/[\w-][\w.-]*)*$/u
/** Folders of the author or of other tools: a build would overwrite their files. In small letters. */
const TAKEN = ['src', 'src/handlers', 'data', 'keys', 'node_modules']
const BELOW_TAKEN = /^(?:node_modules|src\/handlers)\//u

/** Generated files are replaced and removed: their folders must be inside the project, their own, and apart. */
export function reportFolders({ build }: ConfigView, report: Report): void {
  for (const name of ['generated', 'dist'] as const) {
    const folder = build?.[name]
    if (folder === undefined) continue
    const span = at(build!, name)
    if (!FOLDER.test(folder))
      report(
        'SVC0004',
        span,
        `\`${folder}\` is no folder inside the project, such as \`${FOLDERS[name]}\` or \`out/${name}\`.`,
      )
    else if (TAKEN.includes(folder.toLowerCase()) || BELOW_TAKEN.test(folder.toLowerCase()))
      report('SVC0004', span, `\`${folder}\` is not a folder for generated files; choose one of their own.`)
  }
  const { generated, dist } = { ...FOLDERS, ...build }
  // Many disks make no difference between capitals and small letters.
  const [one, other] = [`${generated}/`.toLowerCase(), `${dist}/`.toLowerCase()]
  if (one.startsWith(other) || other.startsWith(one))
    report(
      'SVC0004',
      at(build!, build?.dist === undefined ? 'generated' : 'dist'),
      'One folder holds the other; keep `generated` and `dist` apart.',
    )
}
