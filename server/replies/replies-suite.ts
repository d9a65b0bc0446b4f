import { randomUUID } from 'node:crypto'
import { and, eq, isNotNull, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { question } from '@/lib/leads/testing/leads'
import type { Connect } from '@/server/base/database'
import { TooManyTriesError } from '@/server/base/errors'
import type { Mail } from '@/server/base/mailer'
import { attempts, mails } from '@/server/base/schema'
import { openTestDesk } from '@/server/leads/testing/test-desk'
import { testServices } from '@/server/testing/services'
import { sendReply } from './replies'

/** Tests what two instances do at once, on any database. */
export function repliesSuite(connect: Connect) {
  test('replies of one key at once on two instances, at 58 of 60: each goes once, and no more than sixty', async () => {
    const db = await connect()
    const desk = await openTestDesk({ db, close: async () => {} })
    const sara = await desk.addPerson(randomUUID(), 'staff', ['norra'])
    const sender = `reply ${sara.id}`
    const sentBefore = { writtenAt: new Date(desk.time.ms - 60_000), state: 'sent', sender } as const
    await db
      .insert(mails)
      .values(Array.from({ length: 58 }, (_, index) => ({ ...sentBefore, key: `${sara.id} ${index}` })))
    const ids = Array.from({ length: 3 }, () => randomUUID())
    desk.setQuestions(ids.map((id) => question(id, { email: `${id}@elev.example` })))
    const sentMails: Mail[] = []
    const send = async (mail: Mail) => (sentMails.push(mail), { outcome: 'sent' as const, detail: '' })
    const instances = [1, 2].map(() => testServices({ ...desk.parts, mailer: { send }, logger: { error: () => {} } }))
    // Every connection is opened first, so that all begin in the same moment.
    await Promise.all(ids.map(() => db.execute(sql`select pg_sleep(0.02)`)))
    const replies = ids.flatMap((id) => {
      const reply = { kind: 'asked-question', id, subject: 'Svar', body: 'Hej!', key: `draft-${id}` } as const
      return instances.map((services) => sendReply(services, sara, reply))
    })
    const results = await Promise.allSettled(replies)
    const errors: unknown[] = results.map((result) => 'reason' in result && result.reason)
    expect(errors.filter((error) => error instanceof TooManyTriesError)).toHaveLength(2)
    expect(sentMails).toHaveLength(2)
    expect(await db.$count(mails, eq(mails.sender, sender))).toBe(60)
    const isTheirs = and(eq(attempts.userId, sara.id), isNotNull(attempts.sentKey))
    expect(await db.$count(attempts, isTheirs)).toBe(2)
  })
}
