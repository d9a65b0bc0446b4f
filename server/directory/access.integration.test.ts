import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { signInByProvider } from '@/server/access/provider-sign-in'
import { createViewers } from '@/server/access/session'
import { withdrawToken } from '@/server/access/tokens'
import { allow } from '@/server/access/viewer'
import { accessTokens, sessions as sessionsTable } from '@/server/db/access-schema'
import { createRedisSeal } from '@/server/db/redis-seal'
import { activity, users as usersTable } from '@/server/db/schema'
import { createAnnouncer, createHub, type DeskEvent } from '@/server/events/announcer'
import type { News } from '@/server/events/news'
import { createStreamPlaces, streamEvents } from '@/server/events/stream-events'
import { withRedis } from '@/server/upstream/testing/private-redis'
import { changeUser } from '@/server/users/administration'
import { boss, directoryWorld, entraUser, ORIGIN, refusal } from './testing/directory-world'

const { db, time, announced, parts, overRedis, made, ask, stored, addUser, addGroup, patch } = await directoryWorld()
const accessOf = async (id: string) => {
  const user = await stored(id)
  return user?.disabled ? 'none' : [user?.role, user?.schools]
}
const logged = async () =>
  (await db.select().from(activity).orderBy(activity.id)).map(({ action, details }) => ({ action, ...details }))
const begin = async (userId: string) => {
  const id = await parts.sessions.begin({ userId, method: 'oidc', device: '?', address: '?' })
  return { id, userId, issuedAtMs: time.ms }
}

describe('never touches', () => {
  test('an emergency account, nor one that somebody else made', async () => {
    const eva = await addUser()
    const group = await addGroup('Intag-Personal', [eva])
    for (const [id, email] of [
      ['glass', 'GLAS@skola.example'],
      ['old', 'gammal@skola.example'],
    ] as const) {
      const before = await stored(id)
      expect((await ask('POST', 'Users', entraUser(email))).json).toEqual(refusal(409, 'uniqueness'))
      expect((await ask('GET', `Users?filter=${encodeURIComponent(`userName eq "${email}"`)}`)).json.totalResults).toBe(
        0,
      )
      expect((await ask('GET', `Users/${id}`)).status).toBe(404)
      expect((await ask('PUT', `Users/${id}`, { userName: email, active: false })).status).toBe(404)
      expect((await patch(`Users/${id}`, { op: 'Replace', path: 'active', value: 'False' })).status).toBe(404)
      expect((await ask('DELETE', `Users/${id}`)).status).toBe(404)
      const member = { op: 'Add', path: 'members', value: [{ value: eva }, { value: id }] }
      expect((await patch(`Groups/${group}`, member)).status).toBe(404)
      const renamed = await patch(`Users/${eva}`, { op: 'Replace', path: 'userName', value: email })
      expect(renamed.status).toBe(409)
      expect(await stored(id)).toEqual(before)
    }
    await db.update(usersTable).set({ breakGlass: true }).where(eq(usersTable.id, eva))
    const before = await stored(eva)
    expect((await ask('DELETE', `Users/${eva}`)).status, 'kept for emergencies since').toBe(404)
    expect((await ask('DELETE', `Groups/${group}`)).status).toBe(204)
    expect(await stored(eva)).toEqual(before)
  })

  test('what an administrator has disabled, until the directory itself disables it and enables it again', async () => {
    const eva = await addUser()
    await addGroup('Intag-Personal', [eva])
    const north = await addGroup('Norra', [eva])
    await changeUser(parts, boss, { id: eva, disabled: true })
    await patch(`Users/${eva}`, { op: 'replace', path: 'displayName', value: 'E' })
    await addGroup('Södra', [eva])
    expect(await accessOf(eva)).toBe('none')
    await expect(changeUser(parts, boss, { id: eva, role: 'admin' })).rejects.toThrow('single sign-on')
    await changeUser(parts, boss, { id: eva, disabled: false })
    expect(await accessOf(eva)).toEqual(['staff', ['norra', 'sodra']])
    await patch(`Users/${eva}`, { op: 'Replace', path: 'active', value: 'False' })
    await expect(changeUser(parts, boss, { id: eva, disabled: false })).rejects.toThrow('directory')
    await patch(`Groups/${north}`, { op: 'remove', path: 'members' })
    await patch(`Users/${eva}`, { op: 'Replace', path: 'active', value: 'True' })
    expect(await accessOf(eva)).toEqual(['staff', ['sodra']])
    await patch(`Users/${eva}`, { op: 'Replace', path: 'active', value: 'False' })
    await withdrawToken(parts, boss, { id: made.keyId })
    await changeUser(parts, boss, { id: eva, disabled: false })
    expect(await accessOf(eva), 'without a key an administrator decides').toEqual(['staff', ['sodra']])
  })
})

test('whom single sign-on let in before becomes the directory’s, unless an administrator has disabled them', async () => {
  await addGroup('Intag-Personal', [await addUser()])
  const claims = { iss: 'https://id.test', sub: 'ali', email: 'ali@skola.example', email_verified: true }
  const idToken = { ...claims, groups: ['Intag-Personal', 'Norra'] }
  const signIn = () => signInByProvider(parts, { idToken, userinfo: {} })
  const entered = await signIn()
  const ali = entered.ok ? entered.userId : ''
  const session = await begin(ali)
  expect((await ask('GET', `Users/${ali}`)).status, 'not before it says so').toBe(404)
  await db.update(usersTable).set({ disabled: true }).where(eq(usersTable.id, ali))
  expect((await ask('POST', 'Users', entraUser('Ali@skola.example'))).json).toEqual(refusal(409, 'uniqueness'))
  await db.update(usersTable).set({ disabled: false }).where(eq(usersTable.id, ali))
  const taken = await ask('POST', 'Users', entraUser('Ali@skola.example'))
  expect([taken.status, taken.json.id, taken.json.displayName]).toEqual([201, ali, 'Eva Ek'])
  expect((await ask('POST', 'Users', entraUser('ali@skola.example'))).json).toEqual(refusal(409, 'uniqueness'))
  await addGroup('Södra', [ali])
  expect(await signIn(), 'in no group with a role yet').toEqual({ ok: false, cause: 'disabled' })
  expect(await parts.viewers.find(session)).toBeNull()
  await addGroup('6f1c-rektor', [ali])
  expect([await signIn(), await accessOf(ali)]).toEqual([{ ok: true, userId: ali }, ['manager', ['sodra']]])
  await patch(`Users/${ali}`, { op: 'Replace', path: 'active', value: 'False' })
  expect(await accessOf(ali)).toBe('none')
})

test('two requests at the same time lose neither group, and everything is in the log', async () => {
  const eva = await addUser()
  const groups = [await addGroup('Intag-Personal'), await addGroup('Norra'), await addGroup('Södra')]
  const add = { op: 'Add', path: 'members', value: [{ value: eva }] }
  await Promise.all(groups.map((group) => patch(`Groups/${group}`, add)))
  expect(await accessOf(eva)).toEqual(['staff', ['norra', 'sodra']])
  await patch(`Groups/${groups[2]}`, { op: 'Remove', path: 'members', value: [{ value: eva }] })
  await ask('DELETE', `Users/${eva}`)
  const entries = await logged()
  expect(entries.slice(0, 3)).toMatchObject([
    { action: 'token-made', purpose: 'directory' },
    { action: 'token-used' },
    { action: 'user-created', user: eva, with: 'directory' },
  ])
  expect(entries).toContainEqual({ action: 'user-changed', user: eva, disabled: true, with: 'directory' })
  expect(entries).toContainEqual({ action: 'user-changed', user: eva, schools: ['norra'], with: 'directory' })
  expect(entries).toContainEqual({
    action: 'group-changed',
    group: 'Norra',
    joined: [eva],

    with: 'directory',
  })
  expect(entries.at(-1)).toEqual({ action: 'user-changed', user: eva, disabled: true, with: 'directory' })
  expect(JSON.stringify(entries)).not.toMatch(/skola\.example|Eva/)
})

test('single sign-on takes role and schools from the directory, as long as it has a key', async () => {
  const eva = await addUser()
  await addGroup('Intag-Personal', [eva])
  await addGroup('Norra', [eva])
  const idToken = { iss: 'https://id.test', sub: 'eva', email: 'eva@skola.example', hasgroups: true }
  const signIn = () => signInByProvider(parts, { idToken, userinfo: {} })
  expect(await signIn(), 'whatever groups the token names or leaves out').toEqual({ ok: true, userId: eva })
  expect(await accessOf(eva)).toEqual(['staff', ['norra']])
  await patch(`Users/${eva}`, { op: 'Replace', path: 'active', value: 'False' })
  expect(await signIn()).toEqual({ ok: false, cause: 'disabled' })
  await patch(`Users/${eva}`, { op: 'Replace', path: 'active', value: 'True' })
  await db.update(accessTokens).set({ expiresAt: new Date('2020-01-01') })
  expect(await signIn(), 'its only key is over').toEqual({ ok: false, cause: 'group-overage' })
})

describe('a colleague who left', () => {
  const join = async () => {
    const eva = await addUser()
    const groups = [await addGroup('Intag-Personal', [eva]), await addGroup('Norra', [eva])]
    return { eva, groups, session: await begin(eva) }
  }
  const leaving: [string, (at: Awaited<ReturnType<typeof join>>) => Promise<unknown>][] = [
    ['is disabled', ({ eva }) => patch(`Users/${eva}`, { op: 'Replace', path: 'active', value: 'False' })],
    ['is deleted', ({ eva }) => ask('DELETE', `Users/${eva}`)],
    [
      'is in no group any more',
      ({ groups }) => patch(`Groups/${groups[0]}`, { op: 'Replace', path: 'members', value: [] }),
    ],
    ['was in a group that is gone', ({ groups }) => ask('DELETE', `Groups/${groups[1]}`)],
  ]

  test.each(leaving)('and %s is out at once, and within seconds where nothing was heard of it', async (_, leave) => {
    const found = await join()
    const { eva, session } = found
    const deaf = createViewers({ ...parts, ttlMs: () => 5_000 })
    expect([(await parts.viewers.find(session))?.id, (await deaf.find(session))?.id]).toEqual([eva, eva])
    await leave(found)
    expect(announced).toContain(eva)
    expect(await parts.viewers.find(session)).toBeNull()
    time.ms += 5_001
    expect(await deaf.find(session)).toBeNull()
    const [ended] = await db.select().from(sessionsTable).where(eq(sessionsTable.id, session.id))
    expect(ended?.endedBy).toBe('access')
  })

  withRedis('of two instances', (connect) => {
    test('loses the session and the open stream on the other one', async () => {
      const seal = createRedisSeal({
        keys: { current: new Uint8Array(32).fill(7), previous: null },
        onForeign: () => {},
      })
      const hub = createHub<News>()
      const viewers = createViewers({ ...parts, ttlMs: () => 60_000 })
      const announcerOf = (onEvent: (event: DeskEvent) => void, publish: (event: DeskEvent) => void) => {
        const redis = { commands: connect(), subscriber: connect(), seal }
        const caches = { onEvent, onGap: () => {} }
        const instance = createAnnouncer({ publish, redis, schedule: (_, run) => run(), caches })
        instance.connect()
        return instance
      }
      const forget = (event: DeskEvent) => event.name === 'person' && viewers.invalidate(event.userId)
      const [here, there] = [
        announcerOf(
          () => {},
          () => {},
        ),
        announcerOf(forget, (event) => hub.publish(event as News)),
      ]
      await expect.poll(() => [here, there].every((each) => each.isListening())).toBe(true)
      const { eva, session } = await join()
      const viewer = await viewers.find(session)
      if (!viewer) throw new Error('nobody')
      const rest = { feed: { markWatched: () => {} }, viewers, hub, newsroom: { beginning: () => [] } }
      const request = new Request(`${ORIGIN}/api/events`)
      const places = { ...rest, streamPlaces: createStreamPlaces() }
      const stream = streamEvents(places, allow(viewer, 'interest:read'), {}, { session, request })
      const ended = new Response(stream.body).text()
      overRedis.announcer = here
      await patch(`Users/${eva}`, { op: 'Replace', path: 'active', value: 'False' })
      overRedis.announcer = null
      await expect.poll(() => viewers.find(session)).toBeNull()
      expect(await ended).not.toContain('handover')
    })
  })
})
