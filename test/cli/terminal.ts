/** The command line at a terminal, as a person has it: script(1) is one. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { onTestFinished } from 'vitest'

const SVC = resolve('bin/svc.cjs')
/** What moves the cursor, colours, and clears lines. */
const CONTROLS = /\u001B(?:\[[0-9;?]*[A-Za-z]|\][^\u0007]*\u0007)/gu

export interface Terminal {
  /** Waits until something is printed that was not before; gives its first group. */
  readonly says: (pattern: RegExp) => Promise<string>
  readonly press: (keys: string) => void
  /** Ends with the exit code. */
  readonly ended: Promise<readonly unknown[]>
}

/** Runs `svc` in a folder. `CI` is taken away: nobody is asked there. */
export function atTerminal(cwd: string, args: readonly string[], lastKey: string): Terminal {
  const { CI: _, ...inherited } = process.env
  const env = { ...inherited, PORT: '0', NO_COLOR: '1', SHELL: '/bin/sh', TERM: 'xterm' }
  const program = [process.execPath, SVC, ...args].map((word) => `'${word}'`).join(' ')
  const command = `stty rows 40 cols 100; exec ${program}`
  const child = spawn('script', ['-qfec', command, '/dev/null'], { cwd, env, stdio: ['pipe', 'pipe', 'inherit'] })
  let [said, told] = ['', () => {}]
  child.stdout.on('data', (data: Buffer) => {
    said += data.toString().replaceAll(CONTROLS, '')
    told()
  })
  const says = async (pattern: RegExp): Promise<string> => {
    for (let match; ; await new Promise<void>((next) => (told = next))) {
      match = pattern.exec(said)
      if (match === null) continue
      said = said.slice(match.index + match[0].length)
      return match[1] ?? ''
    }
  }
  const press = (keys: string): void => void child.stdin.write(keys)
  const ended = once(child, 'exit')
  onTestFinished(async () => {
    if (child.exitCode !== null) return
    press(lastKey)
    await ended
  })
  return { says, press, ended }
}
