/** Neovim of Debian drives `svc lsp`, with the settings of docs/guides/editor.md. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { unpackedPackages } from './debian.js'

/** Neovim, and what it loads. */
const PACKAGES = ['neovim', 'neovim-runtime', 'libluajit-5.1-2', 'libluajit-5.1-common', 'libmsgpackc2', 'libtermkey1', 'libtree-sitter0', 'libunibilium4', 'libuv1', 'libvterm0', 'lua-luv', 'lua-lpeg', 'lua-mpack'] as const // prettier-ignore

const TEXT = `manifest_metadata: { version: "0.24.0" }
service_identity: { id: crm }
trust: { level: signed }
capabilities:
  lookup:
    description: Looks an account up by its id.
    contract_version: 1.0.0
    side_effect: { type: READ }
    minimum_scope: [crm.read]
    inputs:
      - { name: id, type: string, description: Which account. }
    output: { type: account, fields: [account] }
    observability: { logged: true, fields_logged: [id] }
  show:
    description: Shows one account with its history.
    contract_version: 1.0.0
    side_effect: { type: read }
    minimum_scope: [crm.read]
    inputs: []
    output: { type: account, fields: [account] }
    refresh_via: [lookup]
`

const folder = mkdtempSync(join(tmpdir(), 'svc-neovim-'))
beforeAll(() => {
  writeFileSync(join(folder, 'svc.yaml'), TEXT)
  mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true })
  symlinkSync(resolve('.'), join(folder, 'node_modules/svc-kit'))
  symlinkSync('../svc-kit/bin/svc.cjs', join(folder, 'node_modules/.bin/svc'))
  writeFileSync(join(folder, 'package.json'), '{"private": true}')
})
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20 }))

/** What the guide says for this version. */
function settings(): string {
  const [, ofOlder = ''] = /Older ones[\s\S]*?```lua\n([\s\S]*?)```/u.exec(readFileSync('docs/guides/editor.md', 'utf8')) ?? []
  expect(ofOlder).toContain('vim.lsp.buf_attach_client')
  return ofOlder
} // prettier-ignore

/** Opens the manifest, waits for its findings, and asks what a person at the keyboard asks. */
const DRIVER = `
local said = {}
local function wait(what, holds)
  if not vim.wait(60000, holds, 50) then error('waited in vain for ' .. what) end
end
local function ask(method, params)
  local answers = vim.lsp.buf_request_sync(0, method, params, 60000)
  for _, answer in pairs(answers or {}) do
    if answer.error then error(method .. ': ' .. answer.error.message) end
    return answer.result
  end
end
local function at(line, character)
  return { textDocument = vim.lsp.util.make_text_document_params(0), position = { line = line, character = character } }
end
local function run()
  vim.cmd('edit svc.yaml')
  vim.bo.filetype = 'yaml'
  wait('findings', function() return #vim.diagnostic.get(0) > 0 end)
  said.codes = vim.tbl_map(function(each) return each.code end, vim.diagnostic.get(0))
  said.hover = ask('textDocument/hover', at(20, 19)).contents.value
  said.outline = vim.tbl_map(function(each) return each.name end, ask('textDocument/documentSymbol', at(0, 0)))
  said.folds = #ask('textDocument/foldingRange', at(0, 0))
  local items = ask('textDocument/completion', at(8, 24))
  said.completion = vim.tbl_map(function(each) return each.label end, items)
  local everything = { start = { line = 0, character = 0 }, ['end'] = { line = 99, character = 0 } }
  local actions = ask('textDocument/codeAction', { textDocument = at(0, 0).textDocument, range = everything, context = { diagnostics = {}, only = { 'source.fixAll' } } })
  vim.lsp.util.apply_workspace_edit(actions[1].edit, 'utf-16')
  wait('the fix', function() return #vim.diagnostic.get(0) == 0 end)
  vim.api.nvim_win_set_cursor(0, { 11, 16 })
  local changed = ask('textDocument/rename', vim.tbl_extend('force', at(10, 16), { newName = 'account_id' }))
  vim.lsp.util.apply_workspace_edit(changed, 'utf-16')
  said.lines = vim.api.nvim_buf_get_lines(0, 7, 13, false)
  said.after = #ask('textDocument/hover', at(20, 19)).contents.value > 0 and #vim.diagnostic.get(0)
end
local ok, trouble = xpcall(run, debug.traceback)
said.trouble = not ok and trouble or nil
local file = io.open('said.json', 'w')
file:write(vim.fn.json_encode(said))
file:close()
vim.cmd('qa!')
`

it('finds, shows, completes, fixes and renames in Neovim 0.7', () => {
  const root = unpackedPackages(PACKAGES)
  const libraries = join(root, 'usr/lib/x86_64-linux-gnu')
  writeFileSync(join(folder, 'init.lua'), settings())
  writeFileSync(join(folder, 'driver.lua'), DRIVER)
  const env = {
    ...process.env,
    LD_LIBRARY_PATH: libraries,
    VIMRUNTIME: join(root, 'usr/share/nvim/runtime'),
    LUA_PATH: join(root, 'usr/share/lua/5.1/?.lua'),
    LUA_CPATH: join(libraries, 'lua/5.1/?.so'),
    XDG_STATE_HOME: folder,
    XDG_CACHE_HOME: folder,
    NODE_OPTIONS: '',
  }
  const args = ['--headless', '-n', '-i', 'NONE', '-u', join(folder, 'init.lua'), '-S', join(folder, 'driver.lua')]
  const { stderr } = spawnSync(join(root, 'usr/bin/nvim'), args, {
    cwd: folder,
    env,
    encoding: 'utf8',
    timeout: 240_000,
  })
  const said = JSON.parse(readFileSync(join(folder, 'said.json'), 'utf8')) as { readonly [name: string]: unknown }
  expect([said['trouble'], stderr]).toEqual([undefined, expect.any(String)])
  expect(said).toMatchObject({
    codes: ['SVC0211'],
    hover: expect.stringContaining('Looks an account up by its id.'),
    outline: ['manifest_metadata', 'service_identity', 'trust', 'capabilities'],
    completion: ['crm.read'],
    after: 0,
  })
  expect(said['folds']).toBeGreaterThan(2)
  expect((said['lines'] as readonly string[]).join('\n')).toBe(`    side_effect: { type: read }
    minimum_scope: [crm.read]
    inputs:
      - { name: account_id, type: string, description: Which account. }
    output: { type: account, fields: [account] }
    observability: { logged: true, fields_logged: [account_id] }`)
})
