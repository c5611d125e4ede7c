/** Starts `svc lsp` of each service in the workspace, and stops it. */
import { commands, window, workspace } from 'vscode'
import { LanguageClient } from 'vscode-languageclient/node'
import { documentsOf, homesOf, serverOf } from './servers.js'

const MANIFESTS = '**/svc.{yaml,yml,json}'
const ELSEWHERE = '**/{node_modules,dist}/**'

/** Home -> client. */
const clients = new Map()

export async function activate(context) {
  const watcher = workspace.createFileSystemWatcher(MANIFESTS)
  context.subscriptions.push(
    watcher,
    watcher.onDidCreate(start),
    workspace.onDidChangeWorkspaceFolders(start),
    commands.registerCommand('svc.restart', restart),
  )
  await start()
}

export const deactivate = () => stop()

async function start() {
  for (const home of await homes()) if (!clients.has(home)) await startAt(home)
}

async function homes() {
  const found = await Promise.all(
    (workspace.workspaceFolders ?? []).map(async (folder) => {
      const files = (await workspace.findFiles(MANIFESTS, ELSEWHERE)).map(({ fsPath }) => fsPath)
      return homesOf(files, folder.uri.fsPath)
    }),
  )
  return new Set(found.flat())
}

async function startAt(home) {
  const fileEvents = workspace.createFileSystemWatcher('**/*.{yaml,yml,json}')
  const options = { documentSelector: documentsOf(home), synchronize: { fileEvents } }
  const client = new LanguageClient('svc', 'svc', serverOf(home), options)
  clients.set(home, client)
  try {
    await client.start()
  } catch (error) {
    clients.delete(home)
    window.showErrorMessage(`svc: the language server of ${home} does not start: ${error.message}`)
  }
}

async function stop() {
  const running = [...clients.values()]
  clients.clear()
  await Promise.all(running.map((client) => client.stop()))
}

async function restart() {
  await stop()
  await start()
}
