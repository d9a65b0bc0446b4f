import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import type { FeedList } from '@/lib/contract/lists'
import { statusNow } from '@/server/operations/status'
import { temporaryFolders } from '@/server/testing/folder'
import { currentSnapshot } from './feed'
import { createHungAnswers } from './hung-answers'
import { type ListReader, readHighSchoolList } from './list-source'
import { bodyOf, sharedWorld } from './testing/shared-world'

const START = Date.UTC(2026, 10, 20, 7)
const MINUTE = 60_000
const LIST = 'asked-questions'
const STOOD_AT = 'addDays (stockholm.ts:12)'
const SCHOOLS = Buffer.from('{"highSchools":[{"id":"a","name":"Norra"}]}')
const OTHERS = Buffer.from('{"highSchools":[{"id":"b","name":"Södra"}]}')

const newFolder = temporaryFolders()
let folder = ''
beforeEach(() => void (folder = newFolder()))

const digestOf = (body: Uint8Array) => createHash('sha256').update(body).digest('hex')
const fileOf = (list: FeedList) => join(folder, `hung-${list}.json`)
function writeVerdict(list: FeedList, body: Uint8Array, isCertain = true): void {
  const verdict = { list, digest: digestOf(body), isCertain, at: '2026-11-20T06:58:00.000Z', stoodAt: STOOD_AT }
  writeFileSync(fileOf(list), JSON.stringify(verdict))
}

function hungAnswers(noted: object[] = [], errors: object[] = []) {
  return createHungAnswers({
    folder,
    watchdog: { note: (note) => void noted.push(note) },
    logger: { error: (line: object) => void errors.push(line) },
    yieldTurn: () => Promise.resolve(),
  })
}

function world() {
  const its = sharedWorld(START, 10_000)
  const body = () => bodyOf(LIST, its.service.ids)
  const status = ({ feed }: ReturnType<typeof its.begin>) =>
    statusNow({
      env: { mode: 'connected', limits: { perSecond: 10, perHour: 600 } },
      feed,
      budget: { usage: () => ({ spentThisHour: 1, perHour: 600, perSecond: 10 }) },
      now: () => START,
    })
  return { ...its, body, status }
}

test('an answer that Intag stood still over is not read again and is reported; other lists go on', async () => {
  const its = world()
  writeVerdict(LIST, its.body())
  const instance = its.begin('a', { hung: hungAnswers() })
  await its.run(3 * MINUTE)
  expect(instance.feed.declarations().content?.table.size).toBe(1)
  expect(instance.feed.askedQuestions().content).toBeNull()
  const problem = { list: LIST, kind: 'unreadable', at: 'intag', since: '2026-11-20T06:58:00.000Z', stoodAt: STOOD_AT }
  expect(its.status(instance).problems).toEqual([{ ...problem, retryAt: expect.any(String) }])
  expect(instance.details.at(-1)).toContain(STOOD_AT)
  await expect(currentSnapshot(instance.feed, instance.feed.askedQuestions)).rejects.toThrow(/stood still/)
  expect(existsSync(fileOf(LIST))).toBe(true)
})

test('as soon as it has changed it is read, and the next start knows nothing of it', async () => {
  const its = world()
  writeVerdict(LIST, its.body())
  const instance = its.begin('a', { hung: hungAnswers() })
  await its.run(MINUTE)
  its.service.ids = ['a', 'b']
  await its.run(2 * MINUTE)
  expect(instance.feed.askedQuestions()).toMatchObject({ problem: null, content: { table: { size: 2 } } })
  expect(existsSync(fileOf(LIST))).toBe(false)
})

test('it is not taken over from another instance either, which reports no problem', async () => {
  const its = world()
  const healthy = its.begin('healthy')
  await its.run(MINUTE)
  writeVerdict(LIST, its.body())
  const refusing = its.begin('refusing', { hung: hungAnswers() })
  await its.run(2 * MINUTE)
  expect(refusing.feed.askedQuestions()).toMatchObject({ content: null, problem: { at: 'intag' } })
  expect(healthy.feed.askedQuestions()).toMatchObject({ problem: null, content: { table: { size: 1 } } })
  its.service.ids = ['a', 'b', 'c']
  await its.run(2 * MINUTE)
  for (const { feed } of [refusing, healthy])
    expect(feed.askedQuestions()).toMatchObject({ problem: null, content: { table: { size: 3 } } })
})

test('the watchdog is given one answer at a time, from before it is read until after its first reading', async () => {
  const noted: object[] = []
  const errors: object[] = []
  const hung = hungAnswers(noted, errors)
  hung.beforeShown(async () => {
    noted.push({ firstReading: true })
    throw new Error('a fault of a screen')
  })
  const table = { kind: 'asked-question' } as never
  const read: ListReader<{ unreadable: []; table: never }> = async () => {
    await Promise.resolve()
    return { ok: true, changed: true, content: { unreadable: [], table } }
  }
  const bodies = [Buffer.from('[1]'), Buffer.from('[2]')]
  const readings = bodies.map((body) => hung.watched(LIST, read)(body, null))
  for (const reading of await Promise.all(readings)) expect(reading.ok).toBe(true)
  const of = (body: Buffer | undefined) => ({ list: LIST, digest: digestOf(body ?? Buffer.of()) })
  const each = (body: Buffer | undefined) => [
    { ...of(body), isOver: false },
    { firstReading: true },
    { ...of(body), isOver: true },
  ]
  expect(noted).toEqual([...each(bodies[0]), ...each(bodies[1])])
  expect(errors).toHaveLength(2)
})

test('a suspected answer is read again, and stays suspected until another one was read', async () => {
  writeVerdict('high-schools', SCHOOLS, false)
  const next = hungAnswers().watched('high-schools', readHighSchoolList)
  expect(await next(SCHOOLS, null)).toMatchObject({ ok: true })
  expect(existsSync(fileOf('high-schools'))).toBe(true)
  expect(await next(OTHERS, null)).toMatchObject({ ok: true })
  expect(existsSync(fileOf('high-schools'))).toBe(false)
})

test('an unreadable verdict is ignored', async () => {
  writeFileSync(fileOf('high-schools'), '{"digest":')
  const reading = await hungAnswers().watched('high-schools', readHighSchoolList)(SCHOOLS, null)
  expect(reading.ok).toBe(true)
})

test('what ends one life by an endless loop is refused in the next', { timeout: 20_000 }, async () => {
  const life = `
import { createHungAnswers } from './server/feed/hung-answers.ts'
import { createWatchdog } from './server/operations/watchdog.ts'
const watchdog = createWatchdog({ folder: process.argv[1], limitMs: 300 })
watchdog.start()
await new Promise((resolve) => setTimeout(resolve, 500))
const yieldTurn = () => Promise.resolve()
const hung = createHungAnswers({ folder: process.argv[1], watchdog, logger: console, yieldTurn })
await hung.watched('high-schools', function endless() { for (;;) {} })(Buffer.from(process.argv[2]), null)
`
  const args = ['--conditions=react-server', '--import', 'tsx', '--input-type=module', '-e', life, folder, `${SCHOOLS}`]
  expect(spawnSync(process.execPath, args, { encoding: 'utf8' }).signal).toBe('SIGKILL')
  expect(JSON.parse(readFileSync(fileOf('high-schools'), 'utf8'))).toMatchObject({ digest: digestOf(SCHOOLS) })

  const next = hungAnswers().watched('high-schools', readHighSchoolList)
  const stoodAt = expect.stringMatching(/^endless /)
  expect(await next(SCHOOLS, null)).toMatchObject({ ok: false, at: 'intag', stoodAt })
  expect(await next(OTHERS, null)).toMatchObject({ ok: true })
  expect(await next(SCHOOLS, null)).toMatchObject({ ok: true })
})
