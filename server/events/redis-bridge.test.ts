import type { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { LeadRef } from '@/lib/contract/lead'
import { createPresence } from '@/server/desk/presence'
import { hasRedis, type PrivateRedis, startPrivateRedis } from '@/server/upstream/testing/private-redis'
import { type DeskEvent, createAnnouncer } from './announcer'

const lead: LeadRef = { kind: 'asked-question', id: 'q1' }

describe.runIf(hasRedis)('two instances with a Redis', () => {
  let redis: PrivateRedis
  let admin: Redis
  beforeAll(async () => {
    redis = await startPrivateRedis()
    admin = redis.connect()
  })
  afterAll(() => redis.stop())

  function instance() {
    const connections = { commands: redis.connect(), subscriber: redis.connect() }
    const received: DeskEvent[] = []
    const publish = (event: DeskEvent) => received.push(event)
    const announcer = createAnnouncer({ publish, redis: connections, schedule: (_, run) => run() })
    const presence = createPresence({
      now: () => 0,
      schedule: () => {},
      onChange: (its, school) => announcer.leadLocally(its, school, 'presence'),
      redis: connections,
    })
    announcer.connect()
    presence.connect()
    return { announcer, presence, received }
  }
  const bothSubscribed = async () => {
    await expect.poll(async () => admin.pubsub('NUMSUB', 'intag:desk', 'intag:presence')).toEqual(SUBSCRIBED)
  }
  const SUBSCRIBED = ['intag:desk', 2, 'intag:presence', 2]

  test('receive each other’s events, each once, and see who has a lead open', async () => {
    const [one, other] = [instance(), instance()]
    await bothSubscribed()
    await admin.publish('intag:desk', 'of another release')
    one.announcer.triage('asked-question', 'sara', ['norra'])
    one.announcer.lead(lead, 'norra', 'notes')
    one.presence.update({ userId: 'sara', tab: 't', lead, school: 'norra' })
    const all = ['triage', 'lead', 'lead']
    await expect.poll(() => other.received.map(({ name }) => name)).toEqual(all)
    expect(one.received.map(({ name }) => name)).toEqual(all)
    expect([one, other].map(({ presence }) => presence.peopleAt(lead))).toEqual([['sara'], ['sara']])
    expect(await admin.keys('*'), 'nothing of it is stored').toEqual([])
  })
})

test.skipIf(hasRedis)('no redis-server on this machine: the bridge is not tested here', () => {
  expect(process.env['CI'], 'under CI there must be a redis-server').not.toBe('true')
})
