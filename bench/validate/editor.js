/**
 * One letter typed into a manifest of 100 or 1,000 capabilities, with `svc lsp` as a process: CPU ms of the server from
 * the edit until its findings, and until all that an editor asks for after an edit. The clock of Linux counts in 10 ms,
 * so rounds are added up. js-yaml with a precompiled schema on the same document, a whole process, is measured between.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createProtocolConnection, StreamMessageReader, StreamMessageWriter } from 'vscode-languageserver-protocol/node'
import { measure } from '../processes.js'
import { parserLine } from './js-yaml-line.js'
import { manifestOf } from './manifests.js'

const COUNT = Number(process.env.COUNT ?? 1000)
const ROUNDS = Number(process.env.ROUNDS ?? 20)
const text = manifestOf(COUNT)
const lineAt = text.split('\n').findIndex((line) => line.includes(`number ${COUNT / 2} between`))
const uri = 'untitled:svc.yaml'
const document = { uri }
const shown = { start: { line: lineAt - 30, character: 0 }, end: { line: lineAt + 30, character: 0 } }

/** What VS Code asks after an edit, beside findings. */
const ASKED = [
  ['textDocument/documentSymbol', { textDocument: document }],
  ['textDocument/foldingRange', { textDocument: document }],
  ['textDocument/semanticTokens/full', { textDocument: document }],
  ['textDocument/inlayHint', { textDocument: document, range: shown }],
  ['textDocument/documentLink', { textDocument: document }],
  ['textDocument/codeAction', { textDocument: document, range: shown, context: { diagnostics: [] } }],
]

const server = spawn(process.execPath, [resolve('bin/svc.cjs'), 'lsp', '--stdio'], {
  stdio: ['pipe', 'pipe', 'inherit'],
})
const connection = createProtocolConnection(
  new StreamMessageReader(server.stdout),
  new StreamMessageWriter(server.stdin),
)
connection.listen()
let published = () => undefined
connection.onNotification('textDocument/publishDiagnostics', () => published())
const findings = () => new Promise((done) => (published = done))

/** CPU ms of the server since its start. */
function cpuOf() {
  const fields = readFileSync(`/proc/${server.pid}/stat`, 'utf8').split(') ')[1].split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

await connection.sendRequest('initialize', { processId: process.pid, rootUri: null, capabilities: {} })
await connection.sendNotification('initialized', {})
const opened = findings()
await connection.sendNotification('textDocument/didOpen', {
  textDocument: { uri, languageId: 'yaml', version: 1, text },
})
await opened

let version = 1
async function edit() {
  const position = { line: lineAt, character: 40 }
  const found = findings()
  await connection.sendNotification('textDocument/didChange', {
    textDocument: { uri, version: ++version },
    contentChanges: [{ range: { start: position, end: position }, text: 'x' }],
  })
  await found
}
const ask = async () => {
  for (const [method, params] of ASKED) await connection.sendRequest(method, params)
}

async function cpuOfRounds(rounds, step) {
  const began = cpuOf()
  for (let n = 0; n < rounds; n++) await step()
  return (cpuOf() - began) / rounds
}
const folder = mkdtempSync(join(import.meta.dirname, '.made-'))
const file = join(folder, 'svc.yaml')
writeFileSync(file, text)
const line = [...parserLine(folder, 'js-yaml', 'load'), file]

await cpuOfRounds(10, async () => {
  await edit()
  await ask()
})
const rounds = []
for (let n = 0; n < 3; n++) {
  const js = measure(line).cpu
  const alone = await cpuOfRounds(ROUNDS, edit)
  const asked = await cpuOfRounds(ROUNDS, ask)
  rounds.push({ 'js-yaml': Math.round(js), 'edit and findings': alone, 'what is asked after': asked, 'times js-yaml': Number((alone / js).toFixed(3)) }) // prettier-ignore
}
rmSync(folder, { recursive: true })
console.table(rounds)
await connection.sendRequest('shutdown')
await connection.sendNotification('exit')
