import type { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { LeadRef } from '@/lib/contract/lead'
import { createSharedPresence } from '@/server/presence/shared-presence'
import { hasRedis, type PrivateRedis, startPrivateRedis } from '@/server/upstream/testing/private-redis'
import { createAnnouncer } from './announcer'
import type { HubEvent } from './desk-event'
import { createHub } from './hub'

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
    const hub = createHub<HubEvent>()
    const heard: HubEvent[] = []
    hub.subscribe({ onEvent: (event) => heard.push(event), onClose: () => {} })
    const announcer = createAnnouncer({ hub, redis: connections, schedule: (_, run) => run() })
    const presence = createSharedPresence({
      now: () => 0,
      schedule: () => {},
      onChange: (its, school) => announcer.leadHere(its, school, 'presence'),
      redis: connections,
    })
    announcer.connect()
    presence.connect()
    return { announcer, presence, heard }
  }
  const bothHear = async () => {
    await expect.poll(async () => admin.pubsub('NUMSUB', 'intag:desk', 'intag:presence')).toEqual(LISTENING)
  }
  const LISTENING = ['intag:desk', 2, 'intag:presence', 2]

  test('hear of each other what happened, each once, and see who has a lead open', async () => {
    const [one, other] = [instance(), instance()]
    await bothHear()
    await admin.publish('intag:desk', 'of another release')
    one.announcer.triage('asked-question', 'sara', ['norra'])
    one.announcer.lead(lead, 'norra', 'notes')
    one.presence.note({ userId: 'sara', tab: 't', lead, school: 'norra' })
    const all = ['triage', 'lead', 'lead']
    await expect.poll(() => other.heard.map(({ name }) => name)).toEqual(all)
    expect(one.heard.map(({ name }) => name)).toEqual(all)
    expect([one, other].map(({ presence }) => presence.peopleAt(lead))).toEqual([['sara'], ['sara']])
    expect(await admin.keys('*'), 'nothing of it is stored').toEqual([])
  })
})

test.skipIf(hasRedis)('no redis-server on this machine: the bridge is not tested here', () => {
  expect(process.env['CI'], 'under CI there must be a redis-server').not.toBe('true')
})
