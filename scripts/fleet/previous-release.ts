import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { LISTS } from '@/lib/contract/lists'
import { ask } from './ask'
import { createWorld } from './fleet'
import { createInstance, type Instance, type Shared } from './instance'
import { BOOTSTRAP, invitePeople, signIn } from './people'
import { buildRelease, type Release, releaseBefore } from './release-before'
import type { Report } from './report'
import { LIMITS } from './service'
import { violationsOf } from './verdicts'
import { notesAt, statusesAt } from './viewers'

/** What was told by one instance is known to the other within five seconds (`server/db/told-cache.ts`). */
const TOLD_MS = 6_000
const PAGES = ['/declarations', '/questions', '/interest', '/account', '/api/status', '/api/views', '/api/people']
const ADMIN_PAGES = ['/admin/status', '/admin/users', '/api/activity', '/api/feed-report']
const KIND = LISTS['declarations-of-interest'].kind

/** The release before and this one at work on one database, as they are in the minutes of an update. */
export async function besidePreviousRelease(report: Report, named: string | null): Promise<void> {
  const name = 'the release before beside this one'
  const release = releaseBefore(named)
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

type Beside = Awaited<ReturnType<typeof createWorld>>
type World = { shared: Shared; older: Instance; newer: Instance; report: Report }

async function update(report: Report, { version }: Release, build: string, beside: Beside): Promise<void> {
  const { folder, service, postgres, redis, shared } = beside
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
    await sideBySide({ shared, older, newer, report })
    const violations = violationsOf(service.sent(), LIMITS)
    report.verdict('no request over the limits of the two together', violations === 0 ? [] : [`${violations} were`])
  } finally {
    await Promise.allSettled([older.end('SIGTERM'), newer.end('SIGTERM')])
  }
}

async function sideBySide(world: World): Promise<void> {
  const { shared, older, newer, report } = world
  const { origin } = shared
  const [fromBefore = ''] = await invitePeople(origin, 1, older.origin)
  const [one = '', two = '', three = ''] = (
    await statusesAt(older.origin, fromBefore, 'declarations-of-interest')
  ).keys()
  const faults = await works(world, older, fromBefore, one, 'before-alone')
  report.say('this release starts beside it')
  await newer.start()
  const fromNow = await signIn(
    origin,
    { email: 'staff0@skola.example', password: 'a-long-enough-password' },
    newer.origin,
  )
  faults.push(...(await works(world, newer, fromBefore, two, 'now')))
  faults.push(...(await works(world, older, fromNow, three, 'before')))
  report.verdict('a session of one is a session of the other; both decide and write', faults)
  await wait(TOLD_MS)
  for (const [instance, cookie] of [[older, fromNow] as const, [newer, fromBefore] as const]) {
    report.verdict(
      `${instance.name}: what either has written is there`,
      await missesAny(instance, cookie, [one, two, three]),
    )
  }
  const admins = await signIn(origin, BOOTSTRAP, older.origin)
  for (const instance of [older, newer]) {
    const failed = [...(await failing(instance, fromNow, PAGES)), ...(await failing(instance, admins, ADMIN_PAGES))]
    report.verdict(`${instance.name}: every page is shown`, failed)
  }
  await older.end('SIGTERM')
  const left = [...(await failing(newer, fromBefore, PAGES)), ...(await works(world, newer, fromNow, one, 'now-alone'))]
  report.verdict('this release goes on alone', left)
}

/** Decides about a lead and writes a note on it; answers what failed. */
async function works(
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

async function missesAny({ origin }: Instance, cookie: string, leads: string[]): Promise<string[]> {
  const statuses = await statusesAt(origin, cookie, 'declarations-of-interest')
  const notes = await notesAt(origin, cookie, leads)
  return [
    ...leads.filter((lead) => statuses.get(lead) !== 'handled').map((lead) => `${lead} is ${statuses.get(lead)}`),
    ...['before-alone', 'now', 'before'].filter((text) => !notes.includes(text)).map((text) => `no note "${text}"`),
  ]
}

async function failing({ origin }: Instance, cookie: string, paths: readonly string[]): Promise<string[]> {
  const answers = await Promise.all(paths.map((path) => ask(origin, path, { cookie })))
  return answers.filter(({ status }) => status !== 200).map(({ detail }) => detail)
}
