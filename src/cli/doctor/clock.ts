import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packageTime } from '../shared/files/package-root.js'
import { doubtful, fine, wrong, type Examination } from './examination.js'

const MOST_SKEW = 5_000

/**
 * Whether the clock of this process can be right: not before this package was written, and that of the file system.
 * Tokens and quotes live by it.
 */
export const clockIsRight: Examination = {
  name: 'clock',
  of: () => {
    const now = Date.now()
    const installed = packageTime()
    const shown = new Date(now).toISOString()
    if (now < installed - MOST_SKEW)
      return wrong(`It is ${shown}, which is before svc-kit was installed.`, 'Set the clock of this machine, by NTP.')
    const skew = Math.abs(timeOfFiles() - now)
    return skew > MOST_SKEW
      ? doubtful(`The clock of the file system differs by ${Math.round(skew / 1000)} s.`, 'Set both by NTP.')
      : fine(shown)
  },
}

function timeOfFiles(): number {
  const folder = mkdtempSync(join(tmpdir(), 'svc-doctor-'))
  try {
    writeFileSync(join(folder, 'now'), '')
    return statSync(join(folder, 'now')).mtimeMs
  } finally {
    rmSync(folder, { recursive: true })
  }
}
