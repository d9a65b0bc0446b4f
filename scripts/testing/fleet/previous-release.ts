import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { z } from 'zod'
import { LISTS } from '@/lib/contract/lists'
import { ask } from './ask'
import { createWorld } from './fleet'
import { createInstance, type Instance, type Shared } from './instance'
import { LIMITS } from './service'
import { type Report, violationsOf } from './verdicts'
import { BOOTSTRAP, invitePeople, notesAt, signIn, statusesAt } from './viewers'

/** Changes reach the other instance within five seconds (`server/db/invalidated-cache.ts`). */
const SYNC_MS = 6_000
const PAGES = ['/declarations', '/questions', '/interest', '/account', '/api/status', '/api/views', '/api/people']
const ADMIN_PAGES = ['/admin/status', '/admin/users', '/api/activity', '/api/feed-report']
const KIND = LISTS['declarations-of-interest'].kind

/** The release before and this one on one database, as during an update. */
export async function besidePreviousRelease(report: Report): Promise<void> {
  const name = 'the release before beside this one'
  const release = releaseBefore()
  if (typeof release === 'string') return report.skip(name, release, { isOfTheClone: true })
  report.say(`${name}: ${release.version} (${release.commit.slice(0, 7)}) is built`)
  const world = await createWorld(2, { isSmall: false })
  const build = join(world.folder, 'before')
  const { remove } = buildRelease(release, build)
  try {
    await update(report, release, build, world)
  } finally {
    await world.stop()
    remove()
    await world.remove()
  }
}

type UpdateWorld = Awaited<ReturnType<typeof createWorld>>
type World = { shared: Shared; older: Instance; newer: Instance; report: Report }

async function update(report: Report, { version }: Release, build: string, beside: UpdateWorld): Promise<void> {
  const { folder, service, postgres, redis } = beside
  // The usual port, at which cookies keep their names; no proxy stands before these two.
  const shared = { ...beside.shared, origin: 'https://localhost' }
  const [oldUrl = '', newUrl = ''] = service.urls
  const own = (name: string, serviceUrl: string) => {
    return { ...shared, name: `release-${name}`, serviceUrl, dataDir: join(folder, `data-${name}`) }
  }
  const older = await createInstance({ ...own('before', oldUrl), build })
  const newer = await createInstance(own('now', newUrl))
  try {
    await Promise.all([postgres.start(), redis.start()])
    await older.start()
    report.say(`${version} works alone`)
    await checkSideBySide({ shared, older, newer, report })
    const violations = violationsOf(service.sent(), LIMITS)
    report.verdict('no request over the limits of the two together', violations === 0 ? [] : [`${violations} were`])
  } finally {
    await Promise.allSettled([older.end('SIGTERM'), newer.end('SIGTERM')])
  }
}

async function checkSideBySide(world: World): Promise<void> {
  const { shared, older, newer, report } = world
  const { origin } = shared
  const [fromBefore = ''] = await invitePeople(origin, 1, older.origin)
  const [one = '', two = '', three = ''] = (
    await statusesAt(older.origin, fromBefore, 'declarations-of-interest')
  ).keys()
  const faults = await checkInstance(world, older, fromBefore, one, 'before-alone')
  report.say('this release starts beside it')
  await newer.start()
  const staff = { email: 'staff0@skola.example', password: 'a-long-enough-password' }
  const fromNow = await signIn(origin, staff, newer.origin)
  faults.push(...(await checkInstance(world, newer, fromBefore, two, 'now')))
  faults.push(...(await checkInstance(world, older, fromNow, three, 'before')))
  report.verdict('a session of one is a session of the other; both decide and write', faults)
  await wait(SYNC_MS)
  for (const [instance, cookie] of [[older, fromNow] as const, [newer, fromBefore] as const]) {
    report.verdict(
      `${instance.name}: what either has written is there`,
      await missingLeads(instance, cookie, [one, two, three]),
    )
  }
  const admins = await signIn(origin, BOOTSTRAP, older.origin)
  for (const instance of [older, newer]) {
    const failed = [
      ...(await failingPaths(instance, fromNow, PAGES)),
      ...(await failingPaths(instance, admins, ADMIN_PAGES)),
    ]
    report.verdict(`${instance.name}: every page is shown`, failed)
  }
  await older.end('SIGTERM')
  const left = [
    ...(await failingPaths(newer, fromBefore, PAGES)),
    ...(await checkInstance(world, newer, fromNow, one, 'now-alone')),
  ]
  report.verdict('this release goes on alone', left)
}

async function checkInstance(
  { shared }: World,
  { origin: at }: Instance,
  cookie: string,
  id: string,
  text: string,
): Promise<string[]> {
  const json = { leads: [{ kind: KIND, id }], status: 'handled' }
  const answers = [
    await ask(shared.origin, '/api/triage', { method: 'PATCH', cookie, at, json }),
    await ask(shared.origin, '/api/notes', { method: 'POST', cookie, at, json: { kind: KIND, id, text } }),
  ]
  return answers.filter(({ outcome }) => outcome !== 'ok').map(({ detail }) => `${text}: ${detail}`)
}

async function missingLeads({ origin }: Instance, cookie: string, leads: string[]): Promise<string[]> {
  const statuses = await statusesAt(origin, cookie, 'declarations-of-interest')
  const notes = await notesAt(origin, cookie, leads)
  return [
    ...leads.filter((lead) => statuses.get(lead) !== 'handled').map((lead) => `${lead} is ${statuses.get(lead)}`),
    ...['before-alone', 'now', 'before'].filter((text) => !notes.includes(text)).map((text) => `no note "${text}"`),
  ]
}

async function failingPaths({ origin }: Instance, cookie: string, paths: readonly string[]): Promise<string[]> {
  const answers = await Promise.all(paths.map((path) => ask(origin, path, { cookie })))
  return answers.filter(({ status }) => status !== 200).map(({ detail }) => detail)
}

const packageSchema = z.looseObject({ version: z.string() })
const lockSchema = z.looseObject({ packages: z.record(z.string(), z.unknown()) })

const ANY_OWNER = ['-c', 'safe.directory=*']

type Release = { commit: string; version: string }

function releaseBefore(): Release | string {
  if (git(['rev-parse', '--is-shallow-repository']) !== 'false') return 'the history of the repository is not here'
  const { version } = packageSchema.parse(JSON.parse(readFileSync('package.json', 'utf8')))
  const commits = (git(['rev-list', '--first-parent', 'HEAD']) ?? '').split('\n')
  for (const commit of commits) {
    const its = versionAt(commit)
    if (its !== null && its !== version) return { commit, version: its }
  }
  return `there is no release before ${version} in the history`
}

function versionAt(commit: string): string | null {
  const text = git(['show', `${commit}:package.json`])
  return text === null ? null : packageSchema.parse(JSON.parse(text)).version
}

function buildRelease({ commit }: Release, folder: string): { remove: () => void } {
  execFileSync('git', [...ANY_OWNER, 'worktree', 'add', '--quiet', '--detach', folder, commit], { stdio: 'inherit' })
  const remove = () => void spawnSync('git', [...ANY_OWNER, 'worktree', 'remove', '--force', folder])
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

function sameLock(folder: string): boolean {
  const [own, other] = ['.', folder].map((where) => {
    const { packages } = lockSchema.parse(JSON.parse(readFileSync(join(where, 'package-lock.json'), 'utf8')))
    const { '': _, ...rest } = packages
    return JSON.stringify(rest)
  })
  return own === other
}

function copyPackages(folder: string): void {
  if (spawnSync('cp', ['-al', 'node_modules', folder], { stdio: 'ignore' }).status === 0) return
  run('cp', ['-a', 'node_modules', folder], process.cwd())
}

function run(command: string, args: string[], cwd: string): void {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed:\n${stdout}${stderr}`.slice(0, 4_000))
}

function git(args: string[]): string | null {
  const { status, stdout } = spawnSync('git', [...ANY_OWNER, ...args], { encoding: 'utf8' })
  return status === 0 ? stdout.trim() : null
}
