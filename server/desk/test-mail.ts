import 'server-only'
import { randomUUID } from 'node:crypto'
import type { MailTestAnswer } from '@/lib/contract/mail'
import { command, type CommandParts, lockPerson } from '@/server/access/command'
import type { Allowed } from '@/server/access/viewer'
import { MailNotSentError } from '@/server/errors'
import { beginMail, releaseMail } from './mails'
import { outcomeOf } from './mailer'
import type { MailParts } from './replies'

/**
 * Sends a message to the administrator who asks, and says what came of it. MailNotSentError where no mail can be sent,
 * TooManyTriesError after five in an hour.
 */
export async function testMail(
  parts: CommandParts & Pick<MailParts, 'mailer' | 'mailPlaces'> & { now: () => number },
  viewer: Allowed<'admin'>,
): Promise<MailTestAnswer> {
  const { mailer, mailPlaces } = parts
  if (mailer === null) throw new MailNotSentError('mail-not-set-up')
  const leave = mailPlaces(viewer.id)
  const key = `test-${randomUUID()}`
  try {
    await command(parts, viewer, 'admin', async (tx, log) => {
      log.nothing()
      await lockPerson(tx, viewer)
      await beginMail(tx, parts.now(), { name: key, for: 'test', userId: viewer.id })
    })
    const sent = await mailer.send({
      to: viewer.email,
      key,
      subject: SUBJECT,
      text: TEXT,
      purpose: 'test',
    })
    if (!sent.ok && sent.kind !== 'unsure') await releaseMail(await parts.connect(), key)
    const outcome = sent.ok ? 'sent' : outcomeOf(sent)
    await command(parts, viewer, 'admin', (_, log) => log({ action: 'mail-tested', details: { outcome } }))
    return { outcome, detail: sent.ok ? '' : sent.detail }
  } finally {
    leave()
  }
}

const SUBJECT = 'Testmejl från Intag · Test message from Intag'
const TEXT = [
  'Det här är ett testmejl som en administratör skickade från Intags sida Driftläge. Kom det fram kan Intag skicka mejl.',
  'This is a test message that an administrator sent from Intag’s status page. If it has arrived, Intag can send mail.',
  '',
].join('\n\n')
