import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { join } from 'node:path'
import { shellWord } from '../../protocol/shell.js'
import { packageRoot } from '../shared/files/package-root.js'
import { DEFAULT_URL } from './first-screen.js'

/** Result of a command: its status, and what it printed as data. */
export interface Ran {
  readonly status: number
  readonly output: string
}

/** Runs a command with a credential file of `.svc-dev/`; `isShown` prints the command, and what it says. */
export type RunAs = (credential: string, words: readonly string[], isShown?: boolean) => Promise<Ran>

/** Runs commands at a service, each in a process of its own, in the folder of the service. */
export const runAt =
  (root: string, url: string, say: (line: string) => void): RunAs =>
  async (credential, words, isShown = true) => {
    if (isShown) say(`\n$ ${commandLine(url, credential, words)}`)
    const child = spawn(process.execPath, [join(packageRoot(), 'bin/svc.cjs'), ...words], {
      cwd: root,
      env: { ...process.env, SVC_URL: url, SVC_TOKEN_FILE: credential, SVC_TOKEN: '' },
      stdio: ['ignore', 'pipe', isShown ? 'inherit' : 'ignore'],
    })
    const status = new Promise<number>((resolve, reject) => {
      child.on('error', reject)
      child.once('close', (code) => resolve(code ?? 1))
    })
    const [ended, output] = await Promise.all([status, text(child.stdout)])
    if (isShown && output !== '') say(output.trimEnd())
    return { status: ended, output }
  }

/** The command as it is typed at a shell, in the folder of the service. */
export const commandLine = (url: string, credential: string, words: readonly string[]): string =>
  [
    ...(url === DEFAULT_URL ? [] : [`SVC_URL=${shellWord(url)}`]),
    `SVC_TOKEN_FILE=${shellWord(credential)} npx svc`,
    ...words.map(shellWord),
  ].join(' ')
