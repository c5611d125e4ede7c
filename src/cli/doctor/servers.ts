import type { Unconfined } from '../../runtime/telemetry/unconfined-servers.js'
import { unconfinedIn } from '../../runtime/upstream/index.js'
import { pinnedAt, pinnedFilesOf } from '../shared/files/pinned-files.js'
import { doubtful, fine, wrong, type Diagnosis, type Examination } from './examination.js'

const says = ({ name, reason }: Unconfined): string =>
  `The MCP server ${name} runs without confinement, and reaches all that the service reaches: ${reason}`

const REMEDY = 'Import it again without --confinement none (docs/guides/import-mcp.md).'

/** One question with two weights: a doubt for a developer, an error in production. */
const confinementOf =
  (found: (says: string, remedy: string) => Diagnosis): Examination['of'] =>
  (root) => {
    const files = pinnedFilesOf(root)
    const unconfined = files.flatMap((path) => unconfinedIn(pinnedAt(path)) ?? [])
    if (files.length === 0) return undefined
    return unconfined.length === 0
      ? fine('every imported MCP server is confined')
      : found(unconfined.map(says).join('\n'), REMEDY)
  }

export const serversAreConfined: Examination = { name: 'servers', of: confinementOf(doubtful) }

/** A service in production has no server that reaches its keys. */
export const everyServerIsConfined: Examination = { name: 'confinement', of: confinementOf(wrong) }
