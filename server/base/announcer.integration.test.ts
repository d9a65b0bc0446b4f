import type { Redis } from 'ioredis'
import { beforeAll, expect, test } from 'vitest'
import type { LeadRef } from '@/lib/contract/lead'
import { createRedisSeal } from '@/server/base/redis-seal'
import { createPresence } from '@/server/leads/presence'
import { withRedis } from '@/server/feed/testing/private-redis'
import { type DeskEvent, createAnnouncer } from './announcer'

const lead: LeadRef = { kind: 'asked-question', id: 'question-1' }

withRedis('two instances', (connect) => {
  let admin: Redis
  beforeAll(() => void (admin = connect()))

  const KEY = new Uint8Array(32).fill(7)
  function instance(dataKey = KEY) {
    const foreign: string[] = []
    const keys = { current: dataKey, previous: null }
    const seal = createRedisSeal({ keys, onForeign: (keyId) => foreign.push(keyId) })
    const connections = { commands: connect(), subscriber: connect(), seal }
    const received: DeskEvent[] = []
    const heard: string[] = []
    const caches = {
      onEvent: (event: DeskEvent) => heard.push(event.name === 'person' ? event.userId : event.name),
      onGap: () => heard.push('gap'),
    }
    const announcer = createAnnouncer({ redis: connections, schedule: (_, run) => run() })
    announcer.publishes((event) => received.push(event))
    announcer.invalidates(caches)
    const presence = createPresence({
      now: () => 0,
      onChange: (its, school) => announcer.leadLocally(its, school, 'presence'),
      redis: connections,
    })
    announcer.connect()
    presence.connect()
    return { announcer, presence, received, heard, connections, foreign }
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

  test('are notified that their caches are invalid; one that missed it knows that too, until it listens again', async () => {
    const [one, other] = [instance(), instance()]
    expect(other.announcer.isListening()).toBe(false)
    await expect.poll(() => [one, other].map(({ announcer }) => announcer.isListening())).toEqual([true, true])
    other.heard.length = 0
    await one.announcer.userChanged('sara')
    await expect.poll(() => other.heard).toEqual(['sara'])
    expect(one.heard.at(-1)).toBe('sara')
    await admin.client('KILL', 'ID', await other.connections.subscriber.client('ID'))
    await expect.poll(() => other.heard).toContain('gap')
    await expect.poll(() => other.announcer.isListening()).toBe(true)
    expect(other.heard.filter((event) => event === 'gap').length, 'once more when it listens again').toBeGreaterThan(1)
    await one.announcer.userChanged('nils')
    await expect.poll(() => other.heard.at(-1)).toBe('nils')
  })

  test('a message reveals nothing to other readers of Redis', async () => {
    const one = instance()
    const between = connect()
    const heard: string[] = []
    between.on('message', (_, text) => heard.push(text))
    await between.subscribe('intag:desk', 'intag:presence')
    await expect.poll(() => one.announcer.isListening()).toBe(true)
    await one.announcer.userChanged('sara')
    one.presence.update({ userId: 'sara', tab: 't', lead, school: 'norra' })
    await expect.poll(() => heard.length).toBe(2)
    expect(heard.join()).not.toMatch(/sara|question-1|norra|user/)
  })

  test('a message under another key may have mattered: it is a gap, and is logged', async () => {
    const [one, stranger] = [instance(), instance(new Uint8Array(32).fill(8))]
    await expect.poll(() => [one, stranger].map(({ announcer }) => announcer.isListening())).toEqual([true, true])
    one.heard.length = 0
    await stranger.announcer.userChanged('sara')
    await expect.poll(() => one.heard).toEqual(['gap'])
    await stranger.announcer.userChanged('nils')
    await expect.poll(() => one.heard).toEqual(['gap', 'gap'])
    expect(one.foreign, 'once for each key').toHaveLength(1)
    expect(one.received).toEqual([])
  })
})
