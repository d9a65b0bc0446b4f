import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

const packageSchema = z.looseObject({ version: z.string() })
const lockSchema = z.looseObject({ packages: z.record(z.string(), z.unknown()) })

/** The clone may belong to somebody else than who runs this. */
const ANYBODYS = ['-c', 'safe.directory=*']

export type Release = { commit: string; version: string }

/** The last commit of another version than this one's; text when the history does not tell. */
export function releaseBefore(named: string | null): Release | string {
  if (git(['rev-parse', '--is-shallow-repository']) !== 'false') return 'the history of the repository is not here'
  const { version } = packageSchema.parse(JSON.parse(readFileSync('package.json', 'utf8')))
  const commits = named === null ? (git(['rev-list', '--first-parent', 'HEAD']) ?? '').split('\n') : [named]
  for (const commit of commits) {
    const its = versionAt(commit)
    if (its !== null && (named !== null || its !== version)) return { commit, version: its }
  }
  return `there is no release before ${version} in the history`
}

function versionAt(commit: string): string | null {
  const text = git(['show', `${commit}:package.json`])
  return text === null ? null : packageSchema.parse(JSON.parse(text)).version
}

/** The release's files with its packages, built; `folder` is not there yet. Throws when it cannot be built. */
export function buildRelease({ commit }: Release, folder: string): { remove: () => void } {
  execFileSync('git', [...ANYBODYS, 'worktree', 'add', '--quiet', '--detach', folder, commit], { stdio: 'inherit' })
  const remove = () => void spawnSync('git', [...ANYBODYS, 'worktree', 'remove', '--force', folder])
  try {
    if (sameLock(folder)) copyPackages(folder)
    else run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], folder)
    if (!existsSync(join(folder, '.next/BUILD_ID'))) run(process.execPath, ['scripts/build.mjs'], folder)
    return { remove }
  } catch (error) {
    remove()
    throw error
  }
}

/** Whether the very same packages are meant; a release names its own version in the lock file. */
function sameLock(folder: string): boolean {
  const [own, other] = ['.', folder].map((where) => {
    const { packages } = lockSchema.parse(JSON.parse(readFileSync(join(where, 'package-lock.json'), 'utf8')))
    const { '': _, ...rest } = packages
    return JSON.stringify(rest)
  })
  return own === other
}

/** As links where both are on one disk. */
function copyPackages(folder: string): void {
  if (spawnSync('cp', ['-al', 'node_modules', folder], { stdio: 'ignore' }).status === 0) return
  run('cp', ['-a', 'node_modules', folder], process.cwd())
}

function run(command: string, args: string[], cwd: string): void {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed:\n${stdout}${stderr}`.slice(0, 4_000))
}

function git(args: string[]): string | null {
  const { status, stdout } = spawnSync('git', [...ANYBODYS, ...args], { encoding: 'utf8' })
  return status === 0 ? stdout.trim() : null
}
