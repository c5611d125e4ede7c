import { relative, resolve } from 'node:path'
import { check } from '../../compiler/check.js'
import { CliError, EXIT, type ExitCode } from '../cli-error.js'
import { answersFrom, mayAsk, refuseWrongOptions, type Answers, type InitOptions } from './answers.js'
import { defaultDatabaseOf, templateValues } from './template-values.js'
import { createAll, refuseConflicts } from './create-files.js'
import { addDeployments, deploymentFiles, deploymentsIn, isService, type Deployment } from './deploy.js'
import { credentialFiles } from './credentials.js'
import { packageSpec } from './package-spec.js'
import { templateFiles, type ScaffoldFile } from './template-files.js'

/**
 * Scaffolds a service in a folder; without one, in the folder of the name that is asked for, or here where nobody can
 * be asked. Writes nothing when any of its files is there already.
 */
export async function init(dir: string | undefined, options: InitOptions): Promise<ExitCode> {
  refuseWrongOptions(options)
  const deployments = deploymentsIn(options.deploy)
  if (deployments.length > 0 && isService(dir ?? '.')) return addDeployments(dir ?? '.', options)
  if (mayAsk(options) && dir !== undefined) await refuseConflicts(dir, MADE_ALWAYS)
  const answers = mayAsk(options) ? await (await import('./ask.js')).askAuthor(dir, options) : undefined
  const folder = dir ?? resolve(answers?.name ?? '.')
  return scaffold(folder, answers ?? answersFrom(folder, options), deployments, options.svcKit)
}

async function scaffold(
  folder: string,
  answers: Answers,
  deployments: readonly Deployment[],
  svcKit = packageSpec(folder),
): Promise<ExitCode> {
  const values = templateValues(answers, svcKit)
  const made = await templateFiles(answers.template, values)
  const deployed = await deploymentFiles(deployments, values)
  const files = [...made, ...deployed, ...credentialFiles(answers, approverScopeOf(made))]
  await refuseConflicts(folder, [...files.map(({ path }) => path), 'keys'])
  await createAll(folder, files)
  process.stdout.write(nextSteps(folder, files.length, answers))
  return EXIT.ok
}

/** Made of any template: where one of them is there already, nobody is asked anything. */
const MADE_ALWAYS = ['svc.yaml', 'main.ts', 'package.json', 'tsconfig.json', 'api-keys.json', '.env', 'keys']

function approverScopeOf(scaffold: readonly ScaffoldFile[]): string | undefined {
  const source = scaffold.find(({ path }) => path === 'svc.yaml')
  if (source === undefined) throw new CliError('The template has no svc.yaml.tmpl.')
  const text = typeof source.content === 'string' ? source.content : new TextDecoder().decode(source.content)
  const { manifest, diagnostics } = check([{ file: source.path, text }])
  const [problem] = diagnostics
  if (manifest === undefined)
    throw new CliError(`The svc.yaml of the template has an error: ${problem?.message ?? ''}`, EXIT.findings)
  return manifest.approvals.approver_scope
}

function nextSteps(folder: string, count: number, answers: Answers): string {
  const path = relative(process.cwd(), folder) || '.'
  const steps = [
    ...(path === '.' ? [] : [`cd ${asShellWord(path)}`]),
    ...(answers.signIn === 'oidc' ? ['$EDITOR .env  # name your identity provider'] : []),
    'npm install',
    'npx svc validate',
    'npx svc build',
    ...(answers.storage === 'postgres' ? [`npx svc migrate up --database ${defaultDatabaseOf(answers)}`] : []),
    ...(answers.tests ? ['npm test'] : []),
    'npx svc sign',
    'npm start',
  ]
  const what = answers.signIn === 'oidc' ? 'development keys' : 'development keys and credentials'
  return `Made a service of ${count} files, with ${what}. Next:\n\n${steps.map((step) => `  ${step}\n`).join('')}`
}

/** The next commands are pasted into a shell: nothing in a folder's name may be read as more than its name. */
export const asShellWord = (path: string): string => {
  const word = path.startsWith('-') ? `./${path}` : path
  return /^[\p{L}\p{N}_@%+=:,./-]+$/u.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`
}
