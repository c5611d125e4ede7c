/** Symbols of manifests that the editor shows in its folders, and has not opened. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import {
  DidChangeWorkspaceFoldersNotification,
  DidCloseTextDocumentNotification,
  WorkspaceSymbolRequest,
} from 'vscode-languageserver-protocol/node'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startEditor, type Editor } from './language-client.js'

const folder = mkdtempSync(join(tmpdir(), 'svc-lsp-closed-'))
const uriOf = (name: string): string => pathToFileURL(join(folder, name)).href
const file = (name: string, text: string): void => {
  mkdirSync(dirname(join(folder, name)), { recursive: true })
  writeFileSync(join(folder, name), text)
}
const manifest = (rest: string): string =>
  `manifest_metadata: { version: "0.24.0" }\nservice_identity: { id: crm }\ntrust: { level: signed }\n${rest}`
const capability = (name: string): string =>
  `capabilities:\n  ${name}:\n    inputs: [{ name: of_${name}, type: string }]\n`

let editor: Editor
beforeAll(async () => {
  file('one/svc.yaml', manifest('include: [more/*.yaml]\n'))
  file('one/more/a.yaml', capability('find_letter'))
  file('two/services/post/svc.json', JSON.stringify({ capabilities: { send_letter: {} } }))
  file('two/k8s/svc.yaml', 'apiVersion: v1\nkind: Service\nmetadata: { name: letter }\n')
  file('two/broken/svc.yaml', '{ capabilities: [letter\n')
  file('two/node_modules/other/svc.yaml', manifest(capability('letter_of_others')))
  file('two/shut/svc.yaml', manifest(capability('letter_unseen')))
  chmodSync(join(folder, 'two/shut/svc.yaml'), 0)
  editor = await startEditor({}, uriOf('.'))
}, 30_000)
afterAll(async () => {
  rmSync(folder, { recursive: true })
  expect(await editor.close()).toBe(0)
})

async function found(query: string): Promise<readonly string[]> {
  const symbols = (await editor.connection.sendRequest(WorkspaceSymbolRequest.type, { query })) ?? []
  return symbols.map(({ name, location }) => `${location.uri.slice(uriOf('').length + 1)} ${name}`).toSorted()
}
const isSuper = process.getuid?.() === 0
const LETTERS = [
  'one/more/a.yaml find_letter',
  'one/more/a.yaml of_find_letter',
  ...(isSuper ? ['two/shut/svc.yaml letter_unseen', 'two/shut/svc.yaml of_letter_unseen'] : []),
  'two/services/post/svc.json send_letter',
].toSorted()

it('finds what is declared in files that are not open, and in no other YAML', async () => {
  expect(await found('letter')).toEqual(LETTERS)
  expect(await found('sndltr')).toEqual(['two/services/post/svc.json send_letter'])
  expect(await found('Service')).toEqual([])
})

it('reads what changed on disk', async () => {
  file('one/more/b.yaml', capability('burn_letter'))
  expect(await found('burn')).toEqual(['one/more/b.yaml burn_letter', 'one/more/b.yaml of_burn_letter'])
  rmSync(join(folder, 'one/more/b.yaml'))
  expect(await found('burn')).toEqual([])
})

it('gives what is open once, as it is in the editor', async () => {
  await editor.open(uriOf('one/more/a.yaml'), capability('find_parcel'))
  expect(await found('find')).toEqual(['one/more/a.yaml find_parcel', 'one/more/a.yaml of_find_parcel'])
  await editor.connection.sendNotification(DidCloseTextDocumentNotification.type, {
    textDocument: { uri: uriOf('one/more/a.yaml') },
  })
  expect(await found('find')).toEqual(['one/more/a.yaml find_letter', 'one/more/a.yaml of_find_letter'])
})

it('follows the folders that the editor shows', async () => {
  const folderOf = (uri: string) => ({ uri, name: 'x' })
  await editor.connection.sendNotification(DidChangeWorkspaceFoldersNotification.type, {
    event: {
      added: [folderOf(uriOf('two/services')), folderOf(uriOf('gone')), folderOf('untitled:x'), folderOf('file://a/b')],
      removed: [folderOf(uriOf('.'))],
    },
  })
  expect(await found('letter')).toEqual(['two/services/post/svc.json send_letter'])
})
