import type { JsonObject } from '../../protocol/manifest.js'

/** Snippets of an editor for complete fields, by `block.field`; `$1` is the next cursor position. */
export const SNIPPETS: { readonly [field: string]: readonly JsonObject[] } = {
  'manifest.capabilities': [
    {
      label: 'a capability that reads',
      body: {
        '${1:search_things}': {
          description: '${2:What it does, on what, and what it returns.}',
          contract_version: '1.0.0',
          side_effect: { type: 'read' },
          minimum_scope: ['${3:things.read}'],
          inputs: [],
          output: { type: '${4:thing_list}', fields: ['${5:things}'] },
        },
      },
    },
  ],
  'capability.inputs': [
    { label: 'an input', body: [{ name: '${1:name}', type: '${2:string}', description: '${3:What it is.}' }] },
  ],
  'capability.approval': [
    {
      label: 'a person approves each call',
      body: {
        required: 'always',
        grant_policy: {
          allowed_grant_types: ['one_time'],
          default_grant_type: 'one_time',
          expires_in_seconds: 900,
          max_uses: 1,
        },
      },
    },
  ],
}
