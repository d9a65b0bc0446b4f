import { sql } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { createInstanceEvents } from './instance-events'
import { withPostgres } from './testing/on-each-database'
import { createOwnDatabase } from './testing/own-database'

const messageSchema = z.object({ text: z.string() })

withPostgres('messages between instances', (open) => {
  /** Starts an instance. `pass` moves its clock and lets it poll. */
  async function startInstance({ deafAt = null as string | null, connectMs = 0 } = {}) {
    const { db, url, close } = await open()
    const time = { ms: 0 }
    const warnings: string[] = []
    const events = createInstanceEvents({
      databaseUrl: deafAt ?? url,
      connect: async () => {
        time.ms += connectMs
        connectMs = 0
        return db
      },
      logger: { warn: (warning: unknown) => void warnings.push(String(warning)) },
      monotonic: () => time.ms,
    })
    const heard: string[] = []
    const send = events.registerTopic('test', {
      schema: messageSchema,
      onMessage: ({ text }) => heard.push(text),
      onGap: () => heard.push('gap'),
    })
    onTestFinished(async () => {
      events.close()
      await close()
    })
    const pass = async (ms: number) => {
      time.ms += ms
      await events.poll()
    }
    await pass(0)
    return { db, events, heard, warnings, send: (text: string) => send({ text }), pass }
  }
  async function startListening() {
    const instance = await startInstance()
    await expect.poll(() => instance.events.isListening()).toBe(true)
    instance.heard.length = 0
    return instance
  }

  test('arrive at each other instance once, in order, and at none’s own', async () => {
    const [one, other] = [await startListening(), await startListening()]
    await one.send('first')
    await other.send('answer')
    await one.send('second')
    await expect.poll(() => other.heard).toEqual(['first', 'second'])
    for (const ms of [1_000, 1_000, 1_000]) await one.pass(ms)
    expect(one.heard, 'nothing is missing').toEqual(['answer'])
  })

  test('that are too long for PostgreSQL, or of another release, are a gap', async () => {
    const [one, other] = [await startListening(), await startListening()]
    expect(await one.send('x'.repeat(20_000))).toBe(true)
    await one.db.execute(sql`select pg_notify('intag', nextval('event_number') || ' {"from":"another release"}')`)
    await expect.poll(() => other.heard).toEqual(['gap', 'gap'])
  })

  test('a lost connection is not listened to; when another is, that is a gap', async () => {
    const [one, other] = [await startListening(), await startListening()]
    await one.db.execute(sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and query like 'listen %'`)
    await expect.poll(() => [one, other].map(({ events }) => events.isListening())).toEqual([false, false])
    expect(await one.send('while nobody listens')).toBe(true)
    await other.pass(1_000)
    await expect.poll(() => other.events.isListening()).toBe(true)
    await one.send('again')
    await expect.poll(() => other.heard).toEqual(['gap', 'again'])
  })

  test('one that was sent and never arrived is noticed at the second look', async () => {
    const one = await startListening()
    await one.pass(1_000)
    await one.db.execute(sql`select nextval('event_number')`)
    await one.pass(1_000)
    expect(one.heard).toEqual([])
    await one.pass(1_000)
    expect(one.heard).toEqual(['gap'])
    expect(one.events.isListening()).toBe(false)
  })

  test('where a pooler keeps LISTEN for itself, each look that finds a new number is a gap, and it is logged once', async () => {
    // PostgreSQL passes messages on within one database.
    const elsewhere = await createOwnDatabase()
    onTestFinished(() => elsewhere.drop())
    const [one, deaf] = [await startListening(), await startInstance({ deafAt: elsewhere.url, connectMs: 2_500 })]
    await deaf.pass(1_000)
    expect(deaf.warnings, 'connecting was slow, not the message').toEqual([])
    for (let looks = 0; looks < 10; looks += 1) await deaf.pass(1_500)
    expect([deaf.events.isListening(), deaf.warnings.length]).toEqual([false, 1])
    deaf.heard.length = 0
    await one.send('unheard')
    await deaf.pass(1_000)
    await deaf.pass(1_000)
    expect(deaf.heard).toEqual(['gap'])
  })
})

test('alone nothing is sent, and everything counts as heard', async () => {
  const connect = () => Promise.reject(new Error('not asked'))
  const events = createInstanceEvents({ databaseUrl: null, connect, logger: { warn: () => {} } })
  const send = events.registerTopic('test', { schema: messageSchema, onMessage: () => {} })
  expect([events.isListening(), await send({ text: 'a' })]).toEqual([true, true])
})
