/** `svc mcp connect` as a process, and the clients that start it. */
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Client as ModernClient } from '@modelcontextprotocol/client'
import { StdioClientTransport as ModernStdio } from '@modelcontextprotocol/client/stdio'
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as LegacyStdio } from '@modelcontextprotocol/sdk/client/stdio.js'
import { onTestFinished } from 'vitest'

/** A file with a credential, which nobody else may read. */
export function credentialFile(credential: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'svc-bridge-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20 }))
  const file = join(folder, 'credential')
  writeFileSync(file, credential, { mode: 0o600 })
  return file
}

const commandOf = (url: string, options: readonly string[], file: string) => {
  const { SVC_TOKEN: _, NODE_OPTIONS: __, ...env } = process.env as { [name: string]: string }
  return {
    command: process.execPath,
    args: [resolve('bin/svc.cjs'), 'mcp', 'connect', url, ...options],
    env: { ...env, SVC_TOKEN_FILE: file, CI: '1' },
  }
}

export const ERAS = ['legacy', 'modern'] as const

/** A client that starts the bridge. What the bridge says beside the protocol is kept. */
export async function throughBridge(
  era: (typeof ERAS)[number],
  url: string,
  file: string,
  options: readonly string[] = [],
) {
  const command = { ...commandOf(url, options, file), stderr: 'pipe' as const }
  const said: string[] = []
  const transport = era === 'legacy' ? new LegacyStdio(command) : new ModernStdio(command)
  transport.stderr?.on('data', (part: Buffer) => void said.push(part.toString()))
  const client =
    era === 'legacy'
      ? new LegacyClient({ name: 'editor', version: '1.0.0' })
      : (new ModernClient(
          { name: 'editor', version: '1.0.0' },
          { versionNegotiation: { mode: 'auto' } },
        ) as object as LegacyClient)
  await client.connect(transport as never)
  onTestFinished(() => client.close())
  return { client, said, pid: transport.pid! }
}

/** The bridge with nobody before it: lines go in, lines come out. */
export function bareBridge(url: string, file: string, options: readonly string[] = []) {
  const { command, args, env } = commandOf(url, options, file)
  const child: ChildProcessWithoutNullStreams = spawn(command, args, { env })
  onTestFinished(() => void child.kill('SIGKILL'))
  const output = { stdout: '', stderr: '' }
  child.stdout.on('data', (part: Buffer) => (output.stdout += part.toString()))
  child.stderr.on('data', (part: Buffer) => (output.stderr += part.toString()))
  const ended = new Promise<number | null>((done) => child.once('close', (code) => done(code)))
  const send = (message: unknown) =>
    child.stdin.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`)
  const answers = () =>
    output.stdout
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as { id: unknown; result?: never; error?: { code: number; message: string } })
  return { child, send, answers, ended, output }
}
