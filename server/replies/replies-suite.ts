import 'server-only'
import { randomUUID } from 'node:crypto'
import { and, eq, isNotNull, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { question } from '@/lib/leads/testing/leads'
import { allow } from '@/server/access/viewer'
import type { Connect } from '@/server/base/database'
import { attempts, mails } from '@/server/base/schema'
import { TooManyTriesError } from '@/server/base/errors'
import { openTestDesk } from '@/server/leads/testing/test-desk'
import { createInFlightLimit } from '@/server/base/concurrency-limit'
import type { Mail } from './mailer'
import { sendReply } from './replies'

/** What holds for two instances on one database, of any kind. */
export function repliesSuite(connect: Connect): void {
  test('twelve replies at once on two instances, at 55 of 60: five go, and seven leave no trace', async () => {
    const sara = randomUUID()
    const db = await connect()
    const desk = await openTestDesk({ db, close: async () => {} })
    const viewer = allow(await desk.person(sara, 'staff', ['norra']), 'leads:reply')
    const at = new Date(desk.time.ms - 60_000)
    const before = { at, state: 'sent' as const, sender: `reply ${sara}` }
    await db.insert(mails).values(Array.from({ length: 55 }, (_, index) => ({ ...before, name: `${sara} ${index}` })))
    const ids = Array.from({ length: 12 }, () => randomUUID())
    desk.setQuestions(ids.map((id) => question(id, { email: `${id}@elev.example` })))
    const taken: Mail[] = []
    const send = async (mail: Mail) => (taken.push(mail), { ok: true as const })
    const wait = () => new Promise((resolve) => setTimeout(resolve, 5))
    const instances = [1, 2].map(() => ({
      ...desk.parts,
      wait,
      mailer: { send },
      mailPlaces: createInFlightLimit({ max: 20, maxPerKey: 20, retryAfterSeconds: 5 }),
      logger: { warn: () => {}, error: () => {} },
    }))
    // So that every connection is there, and all begin in the same moment.
    await Promise.all(ids.map(() => db.execute(sql`select pg_sleep(0.02)`)))
    const replies = ids.map((id, index) => {
      const [parts = instances[0]] = instances.slice(index % 2)
      const reply = { kind: 'asked-question', id, subject: 'Svar', body: 'Hej!', key: `draft-${id}` } as const
      return parts && sendReply(parts, viewer, reply)
    })
    const results = await Promise.allSettled(replies)
    const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []))
    expect(refused).toHaveLength(7)
    for (const error of refused) expect(error).toBeInstanceOf(TooManyTriesError)
    expect(taken).toHaveLength(5)
    expect(await db.$count(mails, eq(mails.sender, `reply ${sara}`))).toBe(60)
    const its = await db
      .select()
      .from(attempts)
      .where(and(eq(attempts.userId, sara), isNotNull(attempts.sentKey)))
    expect(its.map(({ outcome }) => outcome)).toEqual(['sent', 'sent', 'sent', 'sent', 'sent'])
  })
}
