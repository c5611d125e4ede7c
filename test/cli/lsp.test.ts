import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { PassThrough } from 'node:stream'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import {
  createMessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
  type MessageConnection,
} from 'vscode-jsonrpc/node.js'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { serveEditor } from '../../src/cli/lsp/server.js'

const TEXT = `# yaml-language-server: $schema=./node_modules/svc-kit/schemas/manifest.schema.json
manifest_metadata: { version: "0.24.0" }
service_identity: { id: crm }
trust: { level: signed }
capabilities:
  lookup:
    description: Looks an account up by its id.
    contract_version: 1.0.0
    side_effect: { type: READ }
    minimum_scope: [crm.read]
    inputs: []
    output: { type: account, fields: [account] }
  show:
    description: Shows one account with its history.
    contract_version: 1.0.0
    side_effect: { type: read }
    minimum_scope: [crm.read]
    inputs: []
    output: { type: account, fields: [account] }
    refresh_via:
      - lookup
`
const uri = 'untitled:svc.yaml'
const textDocument = { uri }

let client: MessageConnection
let published: Promise<{ readonly diagnostics: readonly unknown[]; readonly uri: string }>
beforeEach(async () => {
  const [input, output] = [new PassThrough(), new PassThrough()]
  void serveEditor(input, output)
  client = createMessageConnection(new StreamMessageReader(output), new StreamMessageWriter(input))
  client.listen()
  await client.sendRequest('initialize', { processId: null, rootUri: null, capabilities: {} })
  published = new Promise((resolve) => client.onNotification('textDocument/publishDiagnostics', resolve))
})
afterEach(async () => {
  await client.sendRequest('shutdown')
  await client.sendNotification('exit')
  client.dispose()
})

const open = async (text: string, name = uri) => {
  await client.sendNotification('textDocument/didOpen', {
    textDocument: { uri: name, languageId: 'yaml', version: 1, text },
  })
  return published
}
const labels = async (text: string, line: number, character: number): Promise<readonly string[]> => {
  await open(text)
  const items: readonly { readonly label: string }[] = await client.sendRequest('textDocument/completion', {
    textDocument,
    position: { line, character },
  })
  return items.map(({ label }) => label)
}
const edited = (find: string, replacement: string): string => TEXT.replace(find, replacement)

describe('svc lsp', () => {
  it('publishes what svc validate finds', async () => {
    expect((await open(TEXT)).diagnostics).toEqual([
      {
        range: { start: { line: 8, character: 25 }, end: { line: 8, character: 29 } },
        severity: 1,
        code: 'SVC0211',
        source: 'svc',
        message: '`READ` is spelt `read` here.',
        relatedInformation: [],
      },
    ])
  })

  it('explains a finding and its field on hover', async () => {
    await open(TEXT)
    const hover: { readonly contents: { readonly value: string } } = await client.sendRequest('textDocument/hover', {
      textDocument,
      position: { line: 8, character: 26 },
    })
    expect(hover.contents.value).toContain('**SVC0211 wrong-case**: `READ` is spelt `read` here.')
    expect(hover.contents.value).toContain('One of `read`, `write`, `transactional`, `irreversible`.')
  })

  it('completes fields that are not there yet', async () => {
    const found = await labels(edited('    refresh_via:\n      - lookup\n', '    ver\n'), 19, 7)
    expect(found).toContain('verify_via')
    expect(found).not.toContain('description')
  })

  it.each([
    ['words', edited('type: READ', 'type: '), 8, 25, ['read', 'write', 'transactional', 'irreversible']],
    ['capability names', edited('      - lookup', '      - lo'), 20, 10, ['lookup', 'show']],
    [
      'scopes',
      edited(
        'minimum_scope: [crm.read]\n    inputs: []\n    output: { type: account, fields: [account] }\n  show',
        'minimum_scope: [c]\n    inputs: []\n    output: { type: account, fields: [account] }\n  show',
      ),
      9,
      21,
      ['crm.read'],
    ],
  ] as const)('completes %s', async (_, text, line, character, wanted) => {
    expect(await labels(text, line, character)).toEqual(wanted)
  })

  it('completes paths of a composition', async () => {
    const text = `${TEXT}  report:
    kind: composed
    inputs:
      - { name: city, type: string }
    composition:
      steps: [{ id: find, capability: lookup }]
      output_mapping: { account:  }
`
    expect(await labels(text, 27, 33)).toEqual(['$.input.city', '$.steps.find.output.account'])
  })

  it('goes to the declaration of a capability', async () => {
    await open(TEXT)
    expect(
      await client.sendRequest('textDocument/definition', { textDocument, position: { line: 20, character: 10 } }),
    ).toEqual({
      uri,
      range: { start: { line: 5, character: 2 }, end: { line: 5, character: 8 } },
    })
  })

  it('renames a capability with all its references', async () => {
    await open(TEXT)
    expect(
      await client.sendRequest('textDocument/rename', {
        textDocument,
        position: { line: 5, character: 3 },
        newName: 'find',
      }),
    ).toEqual({
      changes: {
        [uri]: [
          { range: { start: { line: 5, character: 2 }, end: { line: 5, character: 8 } }, newText: 'find' },
          { range: { start: { line: 20, character: 8 }, end: { line: 20, character: 14 } }, newText: 'find' },
        ],
      },
    })
    await expect(
      client.sendRequest('textDocument/rename', {
        textDocument,
        position: { line: 5, character: 3 },
        newName: 'Find It',
      }),
    ).rejects.toThrow('not a capability name')
  })

  it('offers the fix of a finding', async () => {
    await open(TEXT)
    const range = { start: { line: 8, character: 26 }, end: { line: 8, character: 26 } }
    expect(
      await client.sendRequest('textDocument/codeAction', { textDocument, range, context: { diagnostics: [] } }),
    ).toMatchObject([
      {
        title: 'Write read',
        kind: 'quickfix',
        edit: {
          changes: {
            [uri]: [{ range: { start: { line: 8, character: 25 }, end: { line: 8, character: 29 } }, newText: 'read' }],
          },
        },
      },
    ])
  })

  it('refuses what it does not know', async () => {
    await expect(client.sendRequest('textDocument/foldingRange', { textDocument })).rejects.toThrow(
      'svc lsp does not know textDocument/foldingRange.',
    )
  })

  it('checks a fragment with the manifest that includes it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-lsp-'))
    writeFileSync(
      join(folder, 'svc.yaml'),
      TEXT.replace('READ', 'read').replace('capabilities:', 'include: [more.yaml]\ncapabilities:'),
    )
    writeFileSync(join(folder, 'more.yaml'), 'capabilities: {}\n')
    const name = pathToFileURL(join(folder, 'more.yaml')).href
    const found: { readonly uri: string; readonly diagnostics: readonly { readonly code: string }[] }[] = []
    client.onNotification('textDocument/publishDiagnostics', (each) => void found.push(each))
    const text = TEXT.slice(TEXT.indexOf('capabilities:'), TEXT.indexOf('  show:')).replace('READ', 'read')
    await client.sendNotification('textDocument/didOpen', {
      textDocument: { uri: name, languageId: 'yaml', version: 1, text },
    })
    await client.sendRequest('textDocument/hover', { textDocument: { uri: name }, position: { line: 0, character: 0 } })
    await expect
      .poll(() => found.find((each) => each.uri === name)?.diagnostics.map(({ code }) => code))
      .toEqual(['SVC1005'])
    rmSync(folder, { recursive: true })
  })
})
