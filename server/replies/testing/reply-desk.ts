import { isNotNull } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import type { Reply } from '@/lib/contract/attempts'
import { allow, type Viewer } from '@/server/access/viewer'
import { MailNotSentError } from '@/server/base/errors'
import { createLogger } from '@/server/base/logger'
import { createMailer } from '@/server/base/mailer'
import { activity, attempts, mails } from '@/server/base/schema'
import type { Services } from '@/server/base/services'
import { openMailServer } from '@/server/base/testing/mail-server'
import { emptyAttempts } from '@/server/leads/attempts'
import { openTestDesk, type TestDesk } from '@/server/leads/testing/test-desk'
import { testServices } from '@/server/testing/services'
import { sendReply } from '../replies'

const FRIDAY = Date.parse('2026-11-20T08:00:00Z')
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
  const instance = (change: Partial<Services> = {}): Services =>
    testServices({
      ...it.desk.parts,
      mailer: createMailer({ settings: it.server.settings }),
      logger: createLogger({ logLevel: 'trace' }, { write: (line) => void lines.push(line) }),
      ...change,
    })
  const send = (change: Partial<Reply> = {}, viewer = it.sara, services = instance()) =>
    sendReply(services, allow(viewer, 'leads:reply'), { ...reply, ...change })
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
