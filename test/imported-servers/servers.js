/**
 * MCP servers of the registry that people have: how each is imported, and the calls of it that need no account. `FOLDER`
 * stands for the folder that the server may open.
 */
export const SERVERS = [
  {
    package: '@modelcontextprotocol/server-everything@2026.8.31',
    bin: 'mcp-server-everything',
    calls: [
      ['echo', { message: 'hello' }],
      ['get_sum', { a: 1, b: 2 }],
      ['get_tiny_image', {}],
      ['get_structured_content', { location: 'New York' }],
      ['trigger_long_running_operation', { duration: 1, steps: 2 }],
    ],
  },
  {
    package: '@modelcontextprotocol/server-memory@2026.8.31',
    bin: 'mcp-server-memory',
    words: ['--env', 'MEMORY_FILE_PATH', '--path', 'FOLDER'],
    env: { MEMORY_FILE_PATH: 'FOLDER/memory.jsonl' },
    calls: [
      ['create_entities', { entities: [{ name: 'Ana', entityType: 'person', observations: ['likes tea'] }] }],
      ['search_nodes', { query: 'tea' }],
      ['delete_entities', { entityNames: ['Ana'] }],
      ['read_graph', {}],
    ],
  },
  {
    package: '@modelcontextprotocol/server-filesystem@2026.8.31',
    bin: 'mcp-server-filesystem',
    args: ['FOLDER'],
    calls: [
      ['write_file', { path: 'FOLDER/a.txt', content: 'hello' }],
      ['read_text_file', { path: 'FOLDER/a.txt' }],
      ['read_multiple_files', { paths: ['FOLDER/a.txt'] }],
      ['list_directory', { path: 'FOLDER' }],
      ['directory_tree', { path: 'FOLDER' }],
      ['search_files', { path: 'FOLDER', pattern: '*.txt' }],
      ['edit_file', { path: 'FOLDER/a.txt', edits: [{ oldText: 'hello', newText: 'bye' }] }],
    ],
  },
  {
    package: '@modelcontextprotocol/server-sequential-thinking@2026.8.31',
    bin: 'mcp-server-sequential-thinking',
    calls: [
      ['sequentialthinking', { thought: 'First.', nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 }],
    ],
  },
  { package: '@playwright/mcp@0.0.83', bin: 'playwright-mcp', calls: [] },
  { package: '@upstash/context7-mcp@4.1.1', bin: 'context7-mcp', calls: [] },
  { package: '@notionhq/notion-mcp-server@2.5.2', bin: 'notion-mcp-server', calls: [] },
  { package: 'firecrawl-mcp@3.26.0', bin: 'firecrawl-mcp', calls: [] },
  {
    package: '@sentry/mcp-server@0.39.0',
    bin: 'sentry-mcp',
    words: ['--env', 'SENTRY_ACCESS_TOKEN'],
    env: { SENTRY_ACCESS_TOKEN: 'none' },
    calls: [['search_sentry_tools', { query: 'issues' }]],
  },
]
