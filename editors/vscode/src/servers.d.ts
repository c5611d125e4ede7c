type Exists = (path: string) => boolean

export function homeOf(manifest: string, workspaceFolder: string, exists?: Exists): string | undefined
export function homesOf(manifests: readonly string[], workspaceFolder: string, exists?: Exists): readonly string[]
export function serverOf(home: string): {
  readonly command: string
  readonly args: readonly string[]
  readonly options: { readonly cwd: string; readonly shell: false }
}
export function documentsOf(
  home: string,
): readonly { readonly scheme: string; readonly language: string; readonly pattern: string }[]
