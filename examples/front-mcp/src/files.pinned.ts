// What a person accepted of the server behind. Written by svc import mcp, and by svc import mcp --update.
import type { PinnedUpstream } from 'svc-kit/upstream'

export const PINNED: PinnedUpstream = {
  name: 'files',
  server: {
    package: '@modelcontextprotocol/server-filesystem',
    version: '2026.8.31',
    integrity: 'sha512-kKaFkyAh6oipvc9+EAbJ552JafnMnOq5nzmzWkp1jJdBhTAAGpmIpWihUG1+rfNhmEFM98gUZDdCHCDD4v6a7Q==',
    files: 'sha256:D1eds_vZ5f3ZMLPCkbnJLwpFIwkDnrup7G1ZAmzkkTU',
    file: 'dist/index.js',
    args: ['./files'],
    env: [],
    paths: ['./files'],
    allow: [],
    confinement: 'namespaces',
    network: 'none',
  },
  tools: {
    read_text_file: 'sha256:fac690cc2a1a2f92825f11c390415498ea5dd9bcca0f4005c975ef6a0e14fbb7',
    list_directory: 'sha256:5e0c09e054c7b3e996808ffe240fab7654506e49a3e96d08af519647a6e119dd',
    search_files: 'sha256:c4b41586d3e9a489e5873bfe55f7d090fa07f173b8bc19c36b50fdd1da2b8c38',
    write_file: 'sha256:da551d3c84d47f713fd952b8e8e62eee4e38d8878b16655b92f79b3fbd0da7c6',
    edit_file: 'sha256:337da60b1a7e7536c6b78ccdae55faf428c5fc71e18fc99b48286766351d72e9',
    move_file: 'sha256:5f62d29b599956619dc1a32c41fc001ce06084cefb0f0d4d76a17fa651c8bdfd',
  },
}
