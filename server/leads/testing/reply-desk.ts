import { isNotNull } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import type { Reply } from '@/lib/contract/attempts'
import { allow, type Viewer } from '@/server/access/viewer'
import { activity, attempts, mails } from '@/server/base/schema'
import { MailNotSentError } from '@/server/base/errors'
import { openTestDesk, type TestDesk } from './test-desk'
import { createLogger } from '@/server/base/logger'
import { emptyAttempts } from '../attempts'
import { createInFlightLimit } from '@/server/base/concurrency-limit'
import { createMailer } from '@/server/replies/mailer'
import { sendReply } from '@/server/replies/replies'
import { openMailServer, SHORT } from './mail-server'

export const FRIDAY = Date.parse('2026-11-20T08:00:00Z')
export const ELSA = 'elsa.ek@elev.example'
const [subject, body] = ['Svar om naturprogrammet', 'Hej Elsa, välkommen på öppet hus!']
const reply: Reply = { kind: 'asked-question', id: 'asked', subject, body, key: 'draft-0001' }

type It = { desk: TestDesk; server: Awaited<ReturnType<typeof openMailServer>> } & Record<
  'sara' | 'omar' | 'lotta',
  Viewer
>

/** A desk with a mail server for all tests of a file; what was sent is forgotten before each. `lines` has what is logged. */
export function useReplyDesk() {
  const it = {} as It
  const lines: string[] = []
  beforeAll(async () => {
    const desk = await openTestDesk()
    const person = (id: string, school: string) => desk.person(id, 'staff', [school])
    const [sara, lotta] = [await person('sara', 'norra'), await person('lotta', 'norra')]
    Object.assign(it, { desk, server: await openMailServer(), sara, lotta, omar: await person('omar', 'sodra') })
  })
  afterAll(() => Promise.all([it.desk.close(), it.server.close()]))
  beforeEach(async () => {
    const { desk, server } = it
    await emptyAttempts(desk.db, undefined, new Date(FRIDAY))
    await desk.db.delete(mails)
    await desk.db.delete(activity)
    Object.assign(server.state, { manner: 'takes', slowMs: 0 })
    server.taken.length = 0
    lines.length = 0
    desk.time.ms = FRIDAY
    desk.parts.triage.invalidate()
  })
  const instance = ({ connect = it.desk.parts.connect } = {}) => {
    const now = () => it.desk.time.ms
    const wait = () => new Promise((resolve) => setTimeout(resolve, 5))
    const mailer = createMailer({ settings: it.server.settings, now, timeouts: SHORT })
    const logger = createLogger({ logLevel: 'trace' }, { write: (line) => void lines.push(line) })
    const mailPlaces = createInFlightLimit({ max: 20, maxPerKey: 5, retryAfterSeconds: 5 })
    return { ...it.desk.parts, connect, wait, mailer, mailPlaces, logger }
  }
  const send = (change: Partial<Reply> = {}, viewer = it.sara, parts: Parameters<typeof sendReply>[0] = instance()) =>
    sendReply(parts, allow(viewer, 'leads:reply'), { ...reply, ...change })
  const noted = () => it.desk.db.select().from(attempts).where(isNotNull(attempts.outcome))
  return { it, lines, instance, send, noted }
}

/** Why it was not sent; `sent` where it was. */
export function failed(sent: Promise<unknown>): Promise<unknown> {
  return sent.then(
    () => 'sent',
    (error: unknown) => (error instanceof MailNotSentError ? error.reason : error),
  )
}
